import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../tests/harness/temp-folder.ts';
import { type FileEntry, fileTable, loadFiles } from './static-files.ts';

const entries: FileEntry[] = [
  { path: '/', file: 'index.html', kind: 'page', encodings: [], digest: 'home' },
  { path: '/contact', file: 'contact.html', kind: 'page', encodings: [], digest: 'contact' },
  { path: '/404.html', file: '404.html', kind: 'not-found', encodings: [], digest: 'none' },
  { path: '/icon.svg', file: 'icon.svg', kind: 'plain', encodings: [], digest: 'icon' },
];

test.each([
  ['/contact', ['/Contact', '/contact/', '//contact', '/contact.html', '/contact/index.html', '/%63ontact']],
  ['/', ['//', '/index.html', '/%2f']],
  [undefined, ['/contacts', '/%E0%A4%A', '/contact%00', '/ICON.SVG', '/constructor', '*']],
])('%j is asked for in other spellings', (canonical, paths) => {
  const folder = createTempFolder();
  mkdirSync(join(folder, 'site'));
  for (const { file } of entries) writeFileSync(join(folder, 'site', file), `this is ${file}`);
  writeFileSync(join(folder, fileTable), JSON.stringify(entries));
  const files = loadFiles(folder);
  for (const path of paths) expect(files.canonical(path), path).toBe(canonical);
});
