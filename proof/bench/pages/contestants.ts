import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressFile } from '../../../src/build/compress-files.ts';
import { type FileEntry, fileTable } from '../../../src/server/static-files.ts';
import { stripToText } from './bare-page.ts';

export const contestants = ['ours', 'bare', 'eager'] as const;
export type Contestant = (typeof contestants)[number];

/** What becomes of a file of the build; nothing where it stays as it is. */
type Change = (entry: FileEntry) => ((text: string) => string) | undefined;

/** Three builds with the same words: the site, its words alone, and the site with React handed over at load. */
export async function makeContestants(built: string, folder: string): Promise<Record<Contestant, string>> {
  return {
    ours: await copyBuild(built, join(folder, 'ours'), () => undefined),
    bare: await copyBuild(built, join(folder, 'bare'), entry => (isPage(entry) ? stripToText : undefined)),
    eager: await copyBuild(built, join(folder, 'eager'), wakeAtOnce(built)),
  };
}

export function readEntries(built: string): FileEntry[] {
  return JSON.parse(readFileSync(join(built, fileTable), 'utf8'));
}

async function copyBuild(built: string, copy: string, change: Change): Promise<string> {
  cpSync(built, copy, { recursive: true });
  const entries = readEntries(copy).map(async entry => {
    const make = change(entry);
    if (!make) return entry;
    const file = join(copy, 'site', entry.file);
    writeFileSync(file, make(readFileSync(file, 'utf8')));
    return { ...entry, ...(await compressFile(file)) };
  });
  writeFileSync(join(copy, fileTable), JSON.stringify(await Promise.all(entries)));
  return copy;
}

/** Presses a key at load, which makes the boot script hydrate. Pages preload the chunks, as sites that hydrate at load do. */
function wakeAtOnce(built: string): Change {
  const boot = readEntries(built).find(({ path }) => /\/boot-[^/]+\.js$/.test(path));
  if (!boot) throw new Error('The build has no boot script');
  const sign = (text: string) => `${text};dispatchEvent(new Event('keydown'));`;
  const before = readFileSync(join(built, 'site', boot.file), 'utf8');
  const digest = (text: string) => createHash('sha256').update(text).digest('base64');
  const name = (page: string) =>
    page
      .replace(digest(before), digest(sign(before)))
      .replace('</head>', `${chunksOf(page).map(preload).join('')}</head>`);
  return entry => {
    if (entry.path === boot.path) return sign;
    return isPage(entry) ? name : undefined;
  };
}

/** What the boot script asks for on this page. */
function chunksOf(page: string): string[] {
  const [, json = '{}'] = /id="_chunks">(.*?)<\/script>/.exec(page) ?? [];
  const [, name = ''] = /data-page="([\w-]+)"/.exec(page) ?? [];
  const table: Record<string, string> = JSON.parse(json);
  const found = ['runtime', 'shared', 'main', name].map(chunk => table[chunk]);
  if (found.includes(undefined)) throw new Error(`Page '${name}' does not name its scripts`);
  return found as string[];
}

function preload(address: string): string {
  return `<link rel="preload" href="${address}" as="fetch" crossorigin>`;
}

export function isPage({ kind }: FileEntry): boolean {
  return kind === 'page' || kind === 'not-found';
}
