import type { BlogView, Post } from '../../content/blog/blog-types.ts';
import type { Content } from '../../content/schemas/all-schemas.ts';
import { feedPaths } from '../../site/paths.ts';
import { writeAtom, writeRss } from '../blog/feeds.ts';
import { keepMade, keptFolders, keyOf } from '../build-cache.ts';
import { listFound } from './indexed-pages.ts';
import { writeLlms } from './llms-txt.ts';
import { iconPaths, manifestPath, writeManifest } from './manifest.ts';
import { drawOnce, means, planPictures, readIcon, siteColour } from './open-graph-images.ts';
import { writeRobots, writeSitemap } from './sitemap.ts';

export type FoundFile = { path: string; make(): Promise<Buffer | string> | Buffer | string };

/** Files that need an absolute address exist only with SITE_URL. */
export function listFoundFiles(
  content: Content,
  views: BlogView[],
  siteUrl: string | undefined,
): FoundFile[] {
  const pages = listFound(content, views);
  const written: FoundFile[] = [
    { path: '/robots.txt', make: () => writeRobots(siteUrl) },
    { path: '/llms.txt', make: () => writeLlms(content, pages, siteUrl) },
    { path: manifestPath, make: () => writeManifest(content, siteColour()) },
    ...listIcons(),
  ];
  if (!siteUrl) return written;
  const posts = postsOf(views);
  return [
    ...written,
    { path: '/sitemap.xml', make: () => writeSitemap(pages, siteUrl) },
    { path: feedPaths.rss, make: () => writeRss(content, posts, siteUrl) },
    { path: feedPaths.atom, make: () => writeAtom(content, posts, siteUrl) },
    ...planPictures(content, pages, siteUrl).map(picture => ({
      path: picture.path,
      make: () => drawOnce(picture),
    })),
  ];
}

function listIcons(): FoundFile[] {
  const icon = readIcon();
  const { tab: _, ...drawn } = iconPaths;
  return Object.values(drawn).map(path => ({
    path,
    make: () =>
      keepMade(keptFolders.pictures, keyOf(path, icon, ...means()), async () => {
        const { drawIcon } = await import('./icons.ts');
        return drawIcon(icon, path);
      }),
  }));
}

export function postsOf(views: BlogView[]): Post[] {
  return views.flatMap(view => (view.kind === 'post' ? [view.post] : []));
}
