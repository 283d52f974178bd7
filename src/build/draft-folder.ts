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

/** The text of a file below content/ that is not saved yet. */
export type Draft = { file: string; text: string };

/** A copy of content/ that has the text of one file changed. */
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
      if (!draft) return;
      // It counts as outdated from now on, so that the next call copies or deletes it.
      copied.set(draft.file, 'draft');
      mkdirSync(dirname(join(path, draft.file)), { recursive: true });
      writeFileSync(join(path, draft.file), draft.text);
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
