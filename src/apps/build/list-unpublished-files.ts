import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export type UnpublishedFile = { file: string; change: 'new' | 'changed' | 'deleted' };

/** The files of content/ that differ from those that are published. */
export function listUnpublishedFiles(folder: string, published: string): UnpublishedFile[] {
  const [now, before] = [listFiles(folder), listFiles(published)];
  return [...new Set([...now, ...before])].sort().flatMap((file): UnpublishedFile[] => {
    if (!before.includes(file)) return [{ file, change: 'new' }];
    if (!now.includes(file)) return [{ file, change: 'deleted' }];
    const isSame = readFileSync(join(folder, file)).equals(readFileSync(join(published, file)));
    return isSame ? [] : [{ file, change: 'changed' }];
  });
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => !/(^|[\\/])\./.test(name))
    .filter(name => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
    .map(name => relative(folder, join(folder, name)).replaceAll('\\', '/'));
}
