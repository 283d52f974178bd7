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
  { styles, carried }: { styles: Map<string, string>; carried: Map<string, string> | undefined },
): Promise<FileEntry[]> {
  const pageOf = new Map(addresses.map(path => [pageFile(path), path]));
  const kindOf = (file: string): FileEntry['kind'] => {
    if (pageOf.has(file)) return 'page';
    if (file === '404.html') return 'not-found';
    if (file.startsWith('static/')) return 'hashed';
    if (Object.values<string>(feedPaths).includes(`/${file}`)) return 'feed';
    if (`/${file}`.startsWith(imagesPath)) return 'picture';
    return /\.(svg|png|jpg|ico)$/.test(file) ? 'shared' : 'plain';
  };
  return mapWithConcurrency(files, availableParallelism() + 1, async file => {
    const sheet = styles.get(file);
    const leftAt = carried?.get(file);
    const path = pageOf.get(file) ?? `/${file}`;
    const isOneOfMany = addresses.length > manyPages && path.startsWith(`${paths.blog}/`);
    return {
      path,
      file,
      kind: kindOf(file),
      ...(sheet && { styles: sheet }),
      ...(leftAt && { leftAt }),
      ...(await compressFile(join(site, file), isOneOfMany ? 'quick' : 'strong')),
    };
  });
}

/** At most `atOnce` at a time; results in the order of the items. */
export async function mapWithConcurrency<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const left = items.entries();
  const doRest = async () => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, doRest));
  return results;
}
