import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findLink } from '../content/read.ts';
import type { Content } from '../content/schemas.ts';
import { paths } from '../site/paths.ts';
import type { RenderPage } from '../site/rendered-page.ts';
import { type Assets, writeDocument } from './document.ts';
import { writeGraph } from './found/graph.ts';
import { findIndexFaults } from './found/indexing.ts';
import { listFound } from './found/pages.ts';
import { writeShareTags } from './found/share-tags.ts';
import { findDeadLinks, type WrittenPage } from './links.ts';
import type { PageList } from './page-list.ts';
import { findPolicyBreaks } from './policy.ts';
import { contentFolder } from './vite-config.ts';

type PagesOptions = {
  /** The module that renders, just built. */
  prerender: string;
  site: string;
  assets: Assets;
  pages: PageList;
  content: Content;
  siteUrl: string | undefined;
};

/** Writes every page, and returns what is wrong with any of them. */
export async function writePages(options: PagesOptions): Promise<string[]> {
  const { prerender, site, assets, pages, content, siteUrl } = options;
  const { renderPage }: { renderPage: RenderPage } = await import(pathToFileURL(prerender).href);
  const found = listFound(content);
  const shareTags = writeShareTags(content.company.name, siteUrl !== undefined);
  const written: WrittenPage[] = [];
  for (const path of [...pages.addresses, '/404']) {
    const page = found.find(one => one.path === path);
    const html = writeDocument(await renderPage(path), assets, {
      tags: page ? shareTags : '',
      graph: page && siteUrl ? writeGraph(content, page, siteUrl) : undefined,
    });
    written.push({ path, html });
    writeFile(join(site, pageFile(path)), html);
  }

  const files = listFiles(site).map(file => `/${file}`);
  const breaks = written.flatMap(({ path, html }) =>
    findPolicyBreaks(html, 'sheet' in assets.styles ? assets.styles.sheet : undefined).map(
      what => `${path} holds ${what}, which its policy forbids`,
    ),
  );
  return [
    ...breaks,
    ...findIndexFaults(written, Object.values(paths)),
    ...findDeadLinks(written, files, link => findLink(contentFolder, link)),
  ];
}

export function pageFile(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}.html`;
}

/** With the folders that lead to it. */
export function writeFile(file: string, body: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, body);
}

export function listFiles(site: string): string[] {
  return readdirSync(site, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(site, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
