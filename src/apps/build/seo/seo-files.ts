import type { Brand } from '../../../core/content/schemas/brand.ts';
import type { BlogView, Post } from '../../../features/blog/blog-types.ts';
import { feedPaths } from '../../../features/blog/contract.ts';
import { renderAtom, renderRss } from '../../../features/blog/feeds.ts';
import type { Content } from '../../../features.content.ts';
import { iconPaths } from '../../../lib/icon-paths.ts';
import { renderIcon } from '../brand/render-icon.ts';
import { cacheFolders, createCacheKey, getCachedOrCreate } from '../build-cache.ts';
import { listIndexedPages } from './indexed-pages.ts';
import { formatLlmsTxt } from './llms-txt.ts';
import { drawCached, planOpenGraphImages, readDrawingSources, siteColour } from './open-graph-images.ts';
import { formatRobots, renderSitemap } from './sitemap.ts';
import { formatManifest, manifestPath } from './web-manifest.ts';

export type GeneratedFile = { path: string; make(): Promise<Buffer | string> | Buffer | string };

export function listSeoFiles(
  content: Content,
  views: BlogView[],
  siteUrl: string | undefined,
  indexed: string[],
): GeneratedFile[] {
  const pages = listIndexedPages(content, views).filter(({ path }) => indexed.includes(path));
  const written: GeneratedFile[] = [
    { path: '/robots.txt', make: () => formatRobots(siteUrl) },
    { path: '/llms.txt', make: () => formatLlmsTxt(content, pages, siteUrl) },
    { path: manifestPath, make: () => formatManifest(content, siteColour(content.brand)) },
    ...listIcons(content.brand),
  ];
  if (!siteUrl) return written;
  const posts = listPosts(views);
  return [
    ...written,
    { path: '/sitemap.xml', make: () => renderSitemap(pages, siteUrl) },
    ...(views.length > 0 ? listFeeds(content, posts, siteUrl) : []),
    ...planOpenGraphImages(content, pages, siteUrl).map(image => ({
      path: image.path,
      make: () => drawCached(image),
    })),
  ];
}

function listFeeds(content: Content, posts: Post[], siteUrl: string): GeneratedFile[] {
  return [
    { path: feedPaths.rss, make: () => renderRss(content, posts, siteUrl) },
    { path: feedPaths.atom, make: () => renderAtom(content, posts, siteUrl) },
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

export function listPosts(views: BlogView[]): Post[] {
  return views.flatMap(view => (view.kind === 'post' ? [view.post] : []));
}
