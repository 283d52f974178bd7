import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** Changes of content/ that are not saved yet; null deletes a file. `file` is the one that is edited. */
export type Draft = { file: string; changes: ReadonlyMap<string, string | Uint8Array | null> };

/** A copy of content/ with the changes of a draft. */
export function createDraftFolder(folder: string) {
  const path = mkdtempSync(join(tmpdir(), 'draft-'));
  const copied = new Map<string, string>();

  function synchronise(): void {
    const files = listFiles(folder);
    for (const file of [...copied.keys()].filter(file => !files.has(file))) remove(file);
    for (const [file, version] of files) {
      if (copied.get(file) === version) continue;
      mkdirSync(dirname(join(path, file)), { recursive: true });
      copyFileSync(join(folder, file), join(path, file));
      copied.set(file, version);
    }
  }

  function remove(file: string): void {
    rmSync(join(path, file), { force: true });
    copied.delete(file);
  }

  return {
    path,
    /** The draft of an earlier call is forgotten. */
    write(draft: Draft | undefined): void {
      synchronise();
      for (const [file, text] of draft?.changes ?? []) {
        mkdirSync(dirname(join(path, file)), { recursive: true });
        if (text === null) rmSync(join(path, file), { force: true });
        else writeFileSync(join(path, file), text);
        // It counts as outdated from now on, so that the next call copies or deletes it.
        copied.set(file, 'draft');
      }
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

function listFiles(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(entry => join(entry.parentPath, entry.name))
    .flatMap(file => {
      const stat = statSync(file, { throwIfNoEntry: false });
      const name = relative(folder, file).replaceAll('\\', '/');
      return stat?.isFile() ? [[name, `${stat.mtimeMs} ${stat.size}`] as const] : [];
    });
  return new Map(files);
}
