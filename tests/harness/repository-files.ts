import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './site.ts';

/** What git tracks, or would by the next `git add`. */
export function listRepositoryFiles(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  return files.filter(path => lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile());
}

export type Source = { path: string; text: string };

/** The files of src without their tests. */
export function readSources(): Source[] {
  return readFiles(/(?<!\.test)\.tsx?$/);
}

/** The tests beside the code. */
export function readUnitTests(): Source[] {
  return readFiles(/\.test\.tsx?$/);
}

function readFiles(kind: RegExp): Source[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(name => kind.test(name))
    .map(name => `src/${name.replaceAll('\\', '/')}`)
    .sort()
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
