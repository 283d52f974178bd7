import type { Prose } from '../content/prose.ts';

/** A mail has no address that links could be relative to. */
export function resolveLinks(prose: Prose, siteUrl: string | undefined): Prose {
  return prose.map(node => {
    if (typeof node === 'string') return node;
    const [tag, { href, ...attributes }, ...children] = node;
    const link = href === undefined ? {} : { href: URL.parse(href, siteUrl)?.href ?? href };
    return [tag, { ...attributes, ...link }, ...resolveLinks(children, siteUrl)];
  });
}
