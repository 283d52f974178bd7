import { cacheFolders, createCacheKey, getCachedOrCreate } from '../../../core/build-cache.ts';
import type { GeneratedFile } from '../../../core/content/build-part.ts';
import type { PageView } from '../../../core/content/page-view.ts';
import type { Brand } from '../../../core/content/schemas/brand.ts';
import { buildParts } from '../../../features.build.ts';
import type { Content } from '../../../features.content.ts';
import { iconPaths } from '../../../lib/icon-paths.ts';
import { renderIcon } from '../brand/render-icon.ts';
import { listIndexedPages } from './indexed-pages.ts';
import { formatLlmsTxt } from './llms-txt.ts';
import { drawCached, planOpenGraphImages, readDrawingSources, siteColour } from './open-graph-images.ts';
import { formatRobots, renderSitemap } from './sitemap.ts';
import { formatManifest, manifestPath } from './web-manifest.ts';

/** All that is made beside the pages, scripts and styles. */
export function listGeneratedFiles(
  content: Content,
  views: PageView[],
  siteUrl: string | undefined,
  indexed: string[],
): GeneratedFile[] {
  const pages = listIndexedPages(content, views).filter(({ path }) => indexed.includes(path));
  const written: GeneratedFile[] = [
    { path: '/robots.txt', make: () => formatRobots(siteUrl) },
    { path: '/llms.txt', make: () => formatLlmsTxt(content, pages, siteUrl) },
    { path: manifestPath, make: () => formatManifest(content, siteColour(content.brand)) },
    ...listIcons(content.brand),
    ...buildParts.flatMap(part => part.listFiles?.(views, content, siteUrl) ?? []),
  ];
  if (!siteUrl) return written;
  return [
    ...written,
    { path: '/sitemap.xml', make: () => renderSitemap(pages, siteUrl) },
    ...planOpenGraphImages(content, pages, siteUrl).map(image => ({
      path: image.path,
      make: () => drawCached(image),
    })),
  ];
}

function listIcons(brand: Brand): GeneratedFile[] {
  const icon = renderIcon(brand);
  const { tab, ...drawn } = iconPaths;
  const images = Object.values(drawn).map(path => ({
    path,
    make: () =>
      getCachedOrCreate(
        cacheFolders.seoImages,
        createCacheKey(path, icon, ...readDrawingSources()),
        async () => {
          const { drawIcon } = await import('./icons.ts');
          return drawIcon(icon, path);
        },
      ),
  }));
  return [{ path: tab, make: () => icon }, ...images];
}
