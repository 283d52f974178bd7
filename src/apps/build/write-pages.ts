import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageView } from '../../core/content/page-view.ts';
import type { Content } from '../../features.content.ts';
import type { RenderedPage, RenderPage } from '../../ui/rendered-page.ts';
import type { WrittenPage } from './check-links.ts';
import { checkPages } from './check-site.ts';
import { type BuiltAssets, integrityDigest } from './collect-assets.ts';
import type { PageList } from './create-page-settings.ts';
import { renderDocument } from './html-document.ts';
import { listIndexedPages } from './seo/indexed-pages.ts';
import { buildJsonLd } from './seo/json-ld.ts';
import { renderOpenGraphTags } from './seo/open-graph-tags.ts';
import { pruneStylesPerPage } from './styles/prune-styles.ts';
import { contentFolder } from './vite-config.ts';

type PagesOptions = {
  prerender: string;
  site: string;
  assets: BuiltAssets;
  pages: PageList;
  views: PageView[];
  others: string[];
  content: Content;
  siteUrl: string | undefined;
};

export async function writePages(options: PagesOptions) {
  const { prerender, site, assets, pages, views, others, content, siteUrl } = options;
  const { renderPage }: { renderPage: RenderPage } = await import(pathToFileURL(prerender).href);
  const described = listIndexedPages(content, views).filter(({ path }) => pages.indexed.includes(path));
  const indexed = new Map(described.map(page => [page.path, page]));
  const viewsByPath = new Map(views.map(view => [view.path, view]));
  const rendered: [path: string, page: RenderedPage][] = [];
  for (const path of [...pages.paths, '/404'])
    rendered.push([path, await renderPage(path, viewsByPath.get(path))]);
  const cssByPage = pruneStylesPerPage(
    assets.styles.css,
    rendered.map(([, page]) => page),
  );
  const written: (WrittenPage & { css: string })[] = [];
  for (const [path, shown] of rendered) {
    const page = indexed.get(path);
    const css = cssByPage.get(shown.page) ?? '';
    const pageAssets = { ...assets, styles: { ...assets.styles, css } };
    const html = renderDocument(shown, pageAssets, {
      tags: page ? renderOpenGraphTags(content.brand.name, siteUrl !== undefined, page.view) : '',
      jsonLd: page && siteUrl ? buildJsonLd(content, page, siteUrl) : undefined,
    });
    written.push({ path, html, css });
    writeFile(join(site, pageFile(path)), html);
  }

  const files = [...listFiles(site).map(file => `/${file}`), ...others];
  return {
    errors: checkPages({ folder: contentFolder, pages: written, files, views }),
    styles: new Map(written.map(({ path, css }) => [pageFile(path), integrityDigest(css)])),
  };
}

export function pageFile(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}.html`;
}

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
