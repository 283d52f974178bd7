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

function findPaths(text: string): string[] {
  const named = [...text.matchAll(/`([^`\s*=]+)`/g)].map(([, name = '']) => name);
  return named.filter(name =>
    /^(src|tests|proof|docs|deploy|content)\/|^\.?[\w-]+\.(json|example)$/.test(name),
  );
}
