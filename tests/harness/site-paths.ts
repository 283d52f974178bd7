import { siteParts } from '../../src/features.site.ts';

type Page = (typeof siteParts)[number]['pages'][number];
type IndexedPage = Extract<Page, { indexed: object }>;

const pages: Page[] = siteParts.flatMap(({ pages }): Page[] => [...pages]);

/** The first address of every page that search engines are told of, by the page's name. */
export const paths = Object.fromEntries(
  pages.flatMap(page => ('indexed' in page ? [[page.name, page.paths[0]]] : [])),
) as Record<IndexedPage['name'], string>;

/** Of pages that browsers load as documents, because no script has their text. */
export const documentPaths: readonly string[] = pages.flatMap(page =>
  'document' in page ? [...page.paths] : [],
);
