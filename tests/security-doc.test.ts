import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './harness/site.ts';

const page = readFileSync(join(root, 'docs/engineer/security.md'), 'utf8');

test('docs/engineer/security.md names only existing files', () => {
  const named = findPaths(page);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(path => !existsSync(join(root, path)))).toEqual([]);
});

test('docs/engineer/security.md gives every requirement of ASVS levels 1 and 2 one state and a place or a reason', () => {
  const [, standard = ''] = page.split(/^## OWASP ASVS 5\.0\.0$/m);
  const [judged = ''] = standard.split(/^### .*$/m);
  const rows = [...judged.matchAll(/^\| (V.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
  const ids = rows.map(([id = '']) => id);
  expect(ids.filter(id => !/^V\d+\.\d+\.\d+$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(rows.filter(([, state = '']) => !['met', 'not applicable', 'open'].includes(state))).toEqual([]);
  expect(rows.filter(([, , where = '']) => where.length < 5)).toEqual([]);
});

function findPaths(text: string): string[] {
  const named = [...text.matchAll(/`([^`\s*=]+)`/g)].map(([, name = '']) => name);
  return named.filter(name =>
    /^(src|tests|proof|docs|deploy|content)\/|^\.?[\w-]+\.(json|example)$/.test(name),
  );
}
