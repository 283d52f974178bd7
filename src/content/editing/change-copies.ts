import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, undefinedIfMissing, writeFileAtomically } from '../../lib/files.ts';
import type { Change } from './change.ts';

const maxCopies = 300;
const fileName = /^\d{4}-[\dTZ.-]+-[\w-]+\.json$/;

/** Changes as files of DATA_DIR, where content/ is in no git repository. The oldest make room for new ones. */
export function createChangeCopies(folder: string) {
  const pathOf = (id: string) => join(folder, `${id}.json`);

  async function listIds(): Promise<string[]> {
    const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
    const ids = names.filter(name => fileName.test(name)).map(name => name.slice(0, -'.json'.length));
    return ids.toSorted().reverse();
  }

  async function get(id: string): Promise<Change | undefined> {
    if (!fileName.test(`${id}.json`)) return undefined;
    const text = await readFile(pathOf(id), 'utf8').catch(undefinedIfMissing);
    const change = text === undefined ? undefined : (JSON.parse(text) as Change);
    return change && { ...change, files: change.files.map(revive) };
  }

  return {
    async add(change: Change): Promise<void> {
      await makeFolder(folder);
      const files = change.files.map(({ file, before, after }) => ({
        ...{ file, before: before?.toString('base64') ?? null },
        after: after?.toString('base64') ?? null,
      }));
      await writeFileAtomically(pathOf(change.id), JSON.stringify({ ...change, files }));
      for (const id of (await listIds()).slice(maxCopies)) await rm(pathOf(id), { force: true });
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
