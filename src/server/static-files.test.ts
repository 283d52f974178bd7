import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileEntry, type Files, fileTable, loadFiles } from './static-files.ts';

const entries: FileEntry[] = [
  { path: '/', file: 'index.html', kind: 'page', encodings: [], digest: 'home' },
  { path: '/contact', file: 'contact.html', kind: 'page', encodings: [], digest: 'contact' },
  { path: '/404.html', file: '404.html', kind: 'not-found', encodings: [], digest: 'none' },
  { path: '/static/js/a-1.js', file: 'static/js/a-1.js', kind: 'hashed', encodings: [], digest: 'script' },
  { path: '/icon.svg', file: 'icon.svg', kind: 'plain', encodings: [], digest: 'icon' },
];

let folder: string;
let files: Files;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardhouse-build-'));
  for (const { file } of entries) {
    const path = join(folder, 'site', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `this is ${file}`);
  }
  writeFileSync(join(folder, fileTable), JSON.stringify(entries));
  files = loadFiles(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a page in another spelling', () => {
  test.each(['/Contact', '/contact/', '//contact', '/contact.html', '/contact/index.html', '/%63ontact'])(
    'is /contact when it is asked for as %s',
    path => expect(files.canonical(path)).toBe('/contact'),
  );

  test.each(['//', '/index.html', '/%2f'])('is / when it is requested as %s', path =>
    expect(files.canonical(path)).toBe('/'),
  );

  test.each([
    '/contacts',
    '/%E0%A4%A',
    '/contact%00',
    '/ICON.SVG',
    '/constructor',
    '*',
    'http://example.com/contact',
  ])('is none when it is asked for as %s', path => expect(files.canonical(path)).toBeUndefined());
});
