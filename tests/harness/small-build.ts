import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileEntry, fileTable } from '../../src/core/http/static-files.ts';
import { startSite, type TestSite } from './site.ts';

const entries: FileEntry[] = [
  { path: '/', file: 'index.html', kind: 'page', encodings: [], digest: 'home' },
  { path: '/contact', file: 'contact.html', kind: 'page', encodings: [], digest: 'contact' },
  { path: '/404.html', file: '404.html', kind: 'not-found', encodings: [], digest: 'none' },
  { path: '/icon.svg', file: 'icon.svg', kind: 'plain', encodings: [], digest: 'icon' },
];

/** The least that a server accepts as a build: a unit test runs without the build of the site. */
export function writeSmallBuild(folder: string): void {
  mkdirSync(join(folder, 'site'), { recursive: true });
  for (const { file } of entries) writeFileSync(join(folder, 'site', file), `this is ${file}`);
  writeFileSync(join(folder, fileTable), JSON.stringify(entries));
}

/** The real server on a small build, with data of its own. */
export async function startSmallSite(): Promise<TestSite> {
  const build = mkdtempSync(join(tmpdir(), 'wardhouse-'));
  writeSmallBuild(build);
  const site = await startSite({}, {}, build);
  return {
    ...site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      rmSync(build, { recursive: true, force: true });
    },
  };
}
