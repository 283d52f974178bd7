import type { JsonLdNode } from '../../lib/json-ld.ts';

/** A page that a feature makes of what is in a folder of content/: an entry, such as a post, or a list of entries. */
export type PageView = {
  path: string;
  meta: { title: string; description: string; imageHeading: string; imageUrl?: string };
  picture: { path: string; label: string; illustration: string };
  updated: string | undefined;
  /** The file of an entry, below content/. */
  file?: string;
  /** Beside those that every page has. */
  openGraph?: { type: string; tags: [name: string, value: string][] };
  describe(siteUrl: string): ViewJsonLd;
};

/** Of all that the site has at an address, with these pages of entries. */
export type ListPagePaths = (views: readonly Pick<PageView, 'path'>[]) => string[];

/** `within`: the page above it. `properties` are those of the page itself, `nodes` what it is about. */
export type ViewJsonLd = {
  schemaType?: string;
  within?: { name: string; path: string };
  properties: Record<string, unknown>;
  nodes: JsonLdNode[];
};

/** Of an Open Graph picture. */
export const openGraphSize = { width: 1200, height: 630 };
