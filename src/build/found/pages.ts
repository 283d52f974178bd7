import type { Content } from '../../content/schemas.ts';
import { type FoundName, paths } from '../../site/paths.ts';

/** A page that is to be found: what is said of it wherever it is not itself shown. */
export type FoundPage = {
  name: FoundName;
  path: string;
  title: string;
  description: string;
  picture: string;
  label: string;
  /** A file of src/site/art. */
  art: string;
  updated?: string | undefined;
};

/** Those pages, in the order of the site. All others ask search engines to leave them alone. */
export function listFound(content: Content): FoundPage[] {
  return (Object.keys(paths) as FoundName[]).map(name => {
    const { title, description, picture, updated } = content[name];
    const label = name === 'home' ? content.home.hero.label : title;
    return { name, path: paths[name], title, description, picture, label, art: art[name], updated };
  });
}

const art: Record<FoundName, string> = {
  home: 'shield',
  services: 'network-security',
  contact: 'contact',
  privacy: 'data-security',
  faq: 'computer-security',
  terms: 'locker-security',
  security: 'web-security',
};
