/** Every address of the site by name. Links are made from this table and from nothing else. */
export const paths = {
  home: '/',
  services: '/creator',
  contact: '/contact',
  privacy: '/privacy',
  faq: '/faq',
  terms: '/terms-and-condition',
} as const;

export type PageName = keyof typeof paths | 'not-found';

export const pageNames = [...Object.keys(paths), 'not-found'] as PageName[];

/** The page behind a link, its query and fragment left aside. */
export function pageAt(href: string): PageName | undefined {
  const path = href.split(/[?#]/)[0];
  return (Object.keys(paths) as (keyof typeof paths)[]).find(name => paths[name] === path);
}
