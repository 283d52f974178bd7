/** Pages that every site has, and that others link to. */
export const paths = {
  home: '/',
  services: '/creator',
  faq: '/faq',
  contact: '/contact',
  security: '/security',
} as const;

export function openGraphImagePath(name: string): string {
  return `/share/${name}.jpg`;
}
