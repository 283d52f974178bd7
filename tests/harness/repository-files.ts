import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './site.ts';

/** What is tracked, or would be by the next `git add`. Without git: all that .gitignore does not name. */
export function listRepositoryFiles(): string[] {
  return (fromGit() ?? fromFolders()).filter(path =>
    lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile(),
  );
}

function fromGit(): string[] | undefined {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  try {
    const out = execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return out.split('\0').filter(Boolean);
  } catch {
    return undefined;
  }
}

function fromFolders(): string[] {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  const isOurs = (name: string) =>
    name !== '.git' && !ignored.some(line => line.replaceAll('/', '') === name);
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => isOurs(name))
    .flatMap(entry => (entry.isDirectory() ? filesUnder(join(root, entry.name)) : [entry.name]));
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
    relative(root, join(parentPath, name)).replaceAll(sep, '/'),
  );
}
