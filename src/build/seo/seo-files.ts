import type { BlogView, Post } from '../../content/blog/blog-types.ts';
import type { Content } from '../../content/schemas/all-schemas.ts';
import type { Brand } from '../../content/schemas/brand.ts';
import { feedPaths } from '../../site/paths.ts';
import { writeIcon } from '../brand/write-icon.ts';
import { cacheFolders, createCacheKey, getCachedOrCreate } from '../build-cache.ts';
import { writeAtom, writeRss } from './feeds.ts';
import { listIndexedPages } from './indexed-pages.ts';
import { writeLlmsTxt } from './llms-txt.ts';
import { drawCached, planOpenGraphImages, readDrawingSources, siteColour } from './open-graph-images.ts';
import { writeRobots, writeSitemap } from './sitemap.ts';
import { iconPaths, manifestPath, writeManifest } from './web-manifest.ts';

export type GeneratedFile = { path: string; make(): Promise<Buffer | string> | Buffer | string };

export function listSeoFiles(
  content: Content,
  views: BlogView[],
  siteUrl: string | undefined,
): GeneratedFile[] {
  const pages = listIndexedPages(content, views);
  const written: GeneratedFile[] = [
    { path: '/robots.txt', make: () => writeRobots(siteUrl) },
    { path: '/llms.txt', make: () => writeLlmsTxt(content, pages, siteUrl) },
    { path: manifestPath, make: () => writeManifest(content, siteColour(content.brand)) },
    ...listIcons(content.brand),
  ];
  if (!siteUrl) return written;
  const posts = listPosts(views);
  return [
    ...written,
    { path: '/sitemap.xml', make: () => writeSitemap(pages, siteUrl) },
    { path: feedPaths.rss, make: () => writeRss(content, posts, siteUrl) },
    { path: feedPaths.atom, make: () => writeAtom(content, posts, siteUrl) },
    ...planOpenGraphImages(content, pages, siteUrl).map(image => ({
      path: image.path,
      make: () => drawCached(image),
    })),
  ];
}

function listIcons(brand: Brand): GeneratedFile[] {
  const icon = writeIcon(brand);
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
