import type { Content } from '../../content/schemas.ts';
import { keepMade, keptFolders, keyOf } from '../kept.ts';
import { iconPaths } from './icon-paths.ts';
import { writeLlms } from './llms.ts';
import { manifestPath, writeManifest } from './manifest.ts';
import { listFound } from './pages.ts';
import { drawOnce, means, planPictures, readIcon, siteColour } from './pictures.ts';
import { writeRobots, writeSitemap } from './sitemap.ts';

export type FoundFile = { path: string; make(): Promise<Buffer | string> | Buffer | string };

/** Every file by which the site is found, shared and kept. What needs an absolute address is there only with SITE_URL. */
export function listFoundFiles(content: Content, siteUrl: string | undefined): FoundFile[] {
  const pages = listFound(content);
  const written: FoundFile[] = [
    { path: '/robots.txt', make: () => writeRobots(siteUrl) },
    { path: '/llms.txt', make: () => writeLlms(content, pages, siteUrl) },
    { path: manifestPath, make: () => writeManifest(content, siteColour()) },
    ...listIcons(),
  ];
  if (!siteUrl) return written;
  return [
    ...written,
    { path: '/sitemap.xml', make: () => writeSitemap(pages, siteUrl) },
    ...planPictures(content, siteUrl).map(picture => ({
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
