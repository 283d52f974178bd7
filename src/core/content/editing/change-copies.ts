import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, undefinedIfMissing, writeFileAtomically } from '../../files.ts';
import type { Change } from './change.ts';

const maxCopies = 300;
const fileName = /^\d{4}-[\dTZ.-]+-[\w-]+\.json$/;

/** Changes as files of DATA_DIR: one that is being written, and those that are in no git repository. The oldest make room for new ones. */
export function createChangeCopies(folder: string) {
  const pathOf = (id: string) => join(folder, `${id}.json`);
  const begun = join(folder, 'begun.json');

  async function listIds(): Promise<string[]> {
    const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
    const ids = names.filter(name => fileName.test(name)).map(name => name.slice(0, -'.json'.length));
    return ids.toSorted().reverse();
  }

  async function readChange(path: string): Promise<Change | undefined> {
    const text = await readFile(path, 'utf8').catch(undefinedIfMissing);
    if (text === undefined) return undefined;
    try {
      const change: Change = JSON.parse(text);
      return { ...change, files: change.files.map(revive) };
    } catch {
      throw new Error(`${path} is damaged: delete it`);
    }
  }

  const get = async (id: string) => (fileName.test(`${id}.json`) ? readChange(pathOf(id)) : undefined);

  return {
    /** Before the first of its files is written; one at a time. */
    async begin(change: Change): Promise<void> {
      await makeFolder(folder);
      const files = change.files.map(({ file, before, after }) => ({
        file,
        before: before?.toString('base64') ?? null,
        after: after?.toString('base64') ?? null,
      }));
      await writeFileAtomically(begun, JSON.stringify({ ...change, files }));
    },
    getInterrupted: () => readChange(begun),
    abandon: () => rm(begun, { force: true }),
    async complete(id: string): Promise<void> {
      await rename(begun, pathOf(id));
      for (const old of (await listIds()).slice(maxCopies)) await rm(pathOf(old), { force: true });
    },
    get,
    remove: (id: string) => rm(pathOf(id), { force: true }),
    async list(count: number): Promise<Change[]> {
      const changes = await Promise.all((await listIds()).slice(0, count).map(get));
      return changes.filter(change => change !== undefined);
    },
  };
}

function revive({ file, before, after }: { file: string; before: unknown; after: unknown }) {
  const read = (content: unknown) => (typeof content === 'string' ? Buffer.from(content, 'base64') : null);
  return { file, before: read(before), after: read(after) };
}
