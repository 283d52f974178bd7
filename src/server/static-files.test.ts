import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileEntry, type FileResponse, type Files, fileTable, loadFiles } from './static-files.ts';

const entries: FileEntry[] = [
  { path: '/', file: 'index.html', kind: 'page', encodings: [], digest: 'home' },
  { path: '/contact', file: 'contact.html', kind: 'page', encodings: ['gzip'], digest: 'contact' },
  { path: '/404.html', file: '404.html', kind: 'not-found', encodings: [], digest: 'none' },
  { path: '/static/js/a-1.js', file: 'static/js/a-1.js', kind: 'hashed', encodings: [], digest: 'script' },
  { path: '/icon.svg', file: 'icon.svg', kind: 'plain', encodings: [], digest: 'icon' },
];

let folder: string;
let files: Files;
beforeAll(() => {
  folder = writeBuild(entries);
  files = loadFiles(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a build in memory', () => {
  test('answers by exact path', () => {
    expect(files.get('/contact')?.plain.body.toString()).toBe('this is contact.html');
    expect(files.get('/contact.html')).toBeUndefined();
    expect(files.get('/Contact')).toBeUndefined();
    expect(files.get('/../files.json')).toBeUndefined();
    expect(files.get('/contact.html.gz')).toBeUndefined();
    expect(files.get('constructor')).toBeUndefined();
  });

  test('has the 404 page for unknown paths, and not at a path of its own', () => {
    expect(files.notFound.plain.body.toString()).toBe('this is 404.html');
    expect(files.get('/404.html')).toBeUndefined();
    expect(files.canonical('/404')).toBeUndefined();
  });

  test('has each encoding as its own representation', () => {
    const contact = files.get('/contact');
    const plain = headersOf(contact?.plain);
    const gzip = headersOf(contact?.encoded.gzip);
    expect(contact?.encoded.br).toBeUndefined();
    expect(plain).toMatchObject({ ETag: '"contact"', Vary: 'Accept-Encoding' });
    expect(plain).not.toHaveProperty('Content-Encoding');
    expect(gzip).toMatchObject({
      ETag: '"contact-gzip"',
      Vary: 'Accept-Encoding',
      'Content-Encoding': 'gzip',
      'Content-Length': String(gzipSync('this is contact.html').length),
    });
    expect(headersOf(files.get('/')?.plain)).not.toHaveProperty('Vary');
  });

  test('is immutable where the name has a hash, and revalidated where it does not', () => {
    const caching = (path: string) => headersOf(files.get(path)?.plain)['Cache-Control'];
    expect(caching('/static/js/a-1.js')).toBe('public, max-age=31536000, immutable');
    expect(caching('/')).toBe('no-cache');
    expect(caching('/icon.svg')).toBe('public, max-age=3600');
  });
});

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

describe('a build that cannot be loaded', () => {
  test('is reported as missing, with the command that creates it', () => {
    const nowhere = join(folder, 'nowhere');
    expect(() => loadFiles(nowhere)).toThrow(`There is no build in ${nowhere}: run 'npm run build' first`);
  });

  test('is rejected without a 404 page', () => {
    const other = writeBuild(entries.filter(({ kind }) => kind !== 'not-found'));
    expect(() => loadFiles(other)).toThrow(/has no 404 page/);
    rmSync(other, { recursive: true });
  });
});

function writeBuild(table: FileEntry[]): string {
  const outDir = mkdtempSync(join(tmpdir(), 'wardhouse-build-'));
  for (const { file, encodings } of table) {
    const path = join(outDir, 'site', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `this is ${file}`);
    if (encodings.includes('gzip')) writeFileSync(`${path}.gz`, gzipSync(`this is ${file}`));
  }
  writeFileSync(join(outDir, fileTable), JSON.stringify(table));
  return outDir;
}

function headersOf(answer: FileResponse | undefined): Record<string, string> {
  return Object.fromEntries(pairs(answer?.headers ?? []));
}

function pairs(list: string[]): [string, string][] {
  return Array.from({ length: list.length / 2 }, (_, at) => [list[at * 2] ?? '', list[at * 2 + 1] ?? '']);
}
