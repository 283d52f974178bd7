import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function hashFolder(folder: string, counts: (file: string) => boolean = () => true): string {
  if (!existsSync(folder)) return '';
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() || entry.isSymbolicLink())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => counts(file.slice(folder.length).replaceAll('\\', '/')))
    // A symbolic link counts as its file; it may also be broken.
    .filter(file => statSync(file, { throwIfNoEntry: false })?.isFile())
    .sort();
  return hash(files.flatMap(file => [file.slice(folder.length), '\0', readFileSync(file), '\0']));
}

export function hash(parts: (string | Buffer)[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest('hex').slice(0, 12);
}
