import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { type FileEntry, fileTable } from '../../core/http/static-files.ts';
import { copyPreviousAssets } from './previous-assets.ts';

const day = 24 * 60 * 60 * 1000;
const now = new Date('2026-11-16T12:00:00.000Z');
const scripts = 'static/js';

type Built = { name: string; kind?: FileEntry['kind']; body?: string; outdatedSince?: string };

/** A folder with files and the table of them, as a build leaves it. */
function build(...files: Built[]): string {
  const folder = createTempFolder();
  mkdirSync(join(folder, 'site', scripts), { recursive: true });
  const entries = files.map(({ name, kind = 'hashed', body = name, outdatedSince }) => {
    const file = join(scripts, name);
    writeFileSync(join(folder, 'site', file), body);
    return { path: `/${file}`, file, kind, encodings: [], digest: '', outdatedSince };
  });
  writeFileSync(join(folder, fileTable), JSON.stringify(entries));
  return folder;
}

function carry(from: string, to: string) {
  const site = join(to, 'site');
  const carried = copyPreviousAssets({ from, site, now });
  return { carried, names: readdirSync(join(site, scripts)).sort() };
}

const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();

test('assets of the previous build are kept beside the new ones for a day after they expired', () => {
  const recent = { name: 'recent.js', outdatedSince: ago(day - 1000) };
  const from = build(
    { name: 'main-1.js' },
    { name: 'shared-1.js', body: 'old', outdatedSince: ago(1000) },
    { name: 'a.txt', kind: 'plain' },
    { name: 'old.js', outdatedSince: ago(day) },
    recent,
  );
  const to = build({ name: 'main-2.js' }, { name: 'shared-1.js', body: 'new' });
  const { carried, names } = carry(from, to);
  expect(names).toEqual(['main-1.js', 'main-2.js', 'recent.js', 'shared-1.js']);
  expect([...carried.values()]).toEqual([now.toISOString(), recent.outdatedSince]);
  expect(readFileSync(join(to, 'site', scripts, 'shared-1.js'), 'utf8')).toBe('new');
});
