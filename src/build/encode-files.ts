import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { imagesPath } from '../content/blog/pictures.ts';
import type { FileEntry } from '../server/files.ts';
import { feedPaths, paths } from '../site/paths.ts';
import { encodeFile } from './encode.ts';
import { inTurns } from './in-turns.ts';
import type { PageList } from './page-list.ts';
import { pageFile } from './write-pages.ts';

/** From so many pages on, the last tenth of what posts weigh would cost more than half of a build's time. */
const manyPages = 100;

/** Writes the encodings of files, and returns their lines of the table by which the server knows them. */
export function encodeFiles(
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
  // More at a time would only take memory.
  return inTurns(files, availableParallelism() + 1, async file => {
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
      ...(await encodeFile(join(site, file), isOneOfMany ? 'quick' : 'strong')),
    };
  });
}
