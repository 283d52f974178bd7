import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './harness/site.ts';

const page = readFileSync(join(root, 'docs/engineer/security.md'), 'utf8');

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has that applies here. */
const requirements = {
  ...{ V1: 27, V2: 11, V3: 19, V4: 10, V5: 9, V8: 7, V9: 7 },
  ...{ V11: 14, V12: 9, V13: 13, V14: 9, V15: 13, V16: 16 },
};
/** How many sections each of the others has. */
const sections = { V6: 8, V7: 6, V10: 7, V17: 3 };
const states = ['met', 'not applicable', 'open'];

const [, standard = ''] = page.split(/^## OWASP ASVS 5\.0\.0$/m);
const [judged = '', others = '', third = ''] = standard.split(/^### .*$/m);
const [rows, without, level3] = [judged, others, third].map(readRows) as [string[][], string[][], string[][]];

describe('docs/engineer/security.md', () => {
  test('names only files that are there', () => {
    const named = findPaths(page);
    expect(named.length).toBeGreaterThan(150);
    expect(named.filter(path => !existsSync(join(root, path)))).toEqual([]);
  });

  test('has every requirement of levels 1 and 2 once, in order, with one of three states', () => {
    const ids = rows.map(([id = '']) => id);
    expect(ids.filter(id => !/^V\d+\.\d+\.\d+$/.test(id))).toEqual([]);
    expect(ids).toEqual(inOrder(ids));
    expect(countChapters(ids)).toEqual(requirements);
    expect(rows.filter(row => row.length !== 3 || !states.includes(row[1] ?? ''))).toEqual([]);
  });

  test('says where each is met, and why one is not', () => {
    const bare = rows.filter(([, state, where = '']) => where.length < (state === 'open' ? 40 : 5));
    expect(bare).toEqual([]);
    const pointing = rows.filter(([, state, where = '']) => state === 'met' && findPaths(where).length > 0);
    expect(pointing.length).toBeGreaterThan(90);
  });

  test('counts rightly', () => {
    const [, ...told] = /: (\d+) in all, (\d+) met, (\d+)\s+not applicable, (\d+) open\./.exec(judged) ?? [];
    const counted = states.map(wanted => rows.filter(([, state]) => state === wanted).length);
    expect(told.map(Number)).toEqual([rows.length, ...counted]);
    expect(Number(/These (\d+) of/.exec(third)?.[1])).toBe(level3.length);
  });

  test('gives a reason for every section of the chapters that do not apply', () => {
    const ids = without.map(([id = '']) => id);
    expect(ids).toEqual(inOrder(ids));
    expect(countChapters(ids)).toEqual(sections);
    expect(without.filter(row => row.length !== 2 || (row[1] ?? '').length < 5)).toEqual([]);
  });

  test('claims of level 3 what is not claimed above, and says where', () => {
    const ids = level3.map(([id = '']) => id);
    expect(ids).toEqual(inOrder(ids));
    expect(ids.filter(id => rows.some(([other]) => other === id))).toEqual([]);
    expect(Object.keys(countChapters(ids)).filter(chapter => !(chapter in requirements))).toEqual([]);
    expect(level3.filter(([, where = '']) => findPaths(where).length === 0)).toEqual([]);
  });
});

test('these checks find a path however deep, and ids that are out of order or twice', () => {
  expect(
    findPaths('`src/a.ts`, `.env.example`, `src/a/`, `npm run x`, `HSTS=preload`, `mail/*.eml`'),
  ).toEqual(['src/a.ts', '.env.example', 'src/a/']);
  expect(inOrder(['V2.1.1', 'V1.10.1', 'V1.2.1', 'V1.2.1'])).toEqual(['V1.2.1', 'V1.10.1', 'V2.1.1']);
});

function readRows(text: string): string[][] {
  return [...text.matchAll(/^\| (V.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
}

function findPaths(text: string): string[] {
  const named = [...text.matchAll(/`([^`\s*=]+)`/g)].map(([, name = '']) => name);
  return named.filter(name => /^(src|tests|docs|deploy|content)\/|^\.?[\w-]+\.(json|example)$/.test(name));
}

function countChapters(ids: string[]): Record<string, number> {
  const chapters = ids.map(id => id.split('.')[0] as string);
  return Object.fromEntries(chapters.map(name => [name, chapters.filter(one => one === name).length]));
}

function inOrder(ids: string[]): string[] {
  return [...new Set(ids)].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}
