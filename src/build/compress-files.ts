import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { imagesPath } from '../content/blog/post-images.ts';
import type { FileEntry } from '../server/static-files.ts';
import { feedPaths, paths } from '../site/paths.ts';
import { compressFile } from './compress-file.ts';
import type { PageList } from './page-settings.ts';
import { pageFile } from './write-pages.ts';

/** From here on, the last tenth of compression would cost more than half of the build's time. */
const manyPages = 100;

export function compressFiles(
  site: string,
  files: string[],
  { addresses }: PageList,
  {
    styles,
    previousAssets,
  }: { styles: Map<string, string>; previousAssets: Map<string, string> | undefined },
): Promise<FileEntry[]> {
  const pathsByFile = new Map(addresses.map(path => [pageFile(path), path]));
  const getKind = (file: string): FileEntry['kind'] => {
    if (pathsByFile.has(file)) return 'page';
    if (file === '404.html') return 'not-found';
    if (file.startsWith('static/')) return 'hashed';
    if (Object.values<string>(feedPaths).includes(`/${file}`)) return 'feed';
    if (`/${file}`.startsWith(imagesPath)) return 'picture';
    return /\.(svg|png|jpg|ico)$/.test(file) ? 'shared' : 'plain';
  };
  return mapWithConcurrency(files, availableParallelism() + 1, async file => {
    const sheet = styles.get(file);
    const outdatedSince = previousAssets?.get(file);
    const path = pathsByFile.get(file) ?? `/${file}`;
    const isQuick = addresses.length > manyPages && path.startsWith(`${paths.blog}/`);
    return {
      path,
      file,
      kind: getKind(file),
      ...(sheet && { styles: sheet }),
      ...(outdatedSince && { outdatedSince }),
      ...(await compressFile(join(site, file), isQuick ? 'quick' : 'strong')),
    };
  });
}

export async function mapWithConcurrency<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const queue = items.entries();
  const runWorker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, runWorker));
  return results;
}
