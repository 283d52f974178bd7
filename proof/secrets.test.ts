import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listRepositoryFiles } from '../tests/harness/repository-files.ts';
import { root } from '../tests/harness/site.ts';

test('secretlint finds no secret in the repository, and finds a planted one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  const planted = join(folder, 'planted.txt');
  // Joined here: written down, it would be found.
  writeFileSync(planted, ['ghp', '0123456789abcdefghijABCDEFGHIJ012345'].join('_'));
  const files = listRepositoryFiles();
  expect(files).toContain('package-lock.json');
  const output = join(folder, 'found.json');
  const { stderr } = spawnSync(
    process.execPath,
    [
      'proof/node_modules/secretlint/bin/secretlint.js',
      ...['--secretlintrc', 'proof/.secretlintrc.json', '--format', 'json', '--no-glob', '--output', output],
      ...[planted, ...files],
    ],
    { cwd: root, encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  const results: { filePath: string; messages: unknown[] }[] = JSON.parse(readFileSync(output, 'utf8'));
  rmSync(folder, { recursive: true });
  const withSecrets = results.filter(({ messages }) => messages.length > 0).map(({ filePath }) => filePath);
  expect(withSecrets).toEqual([planted]);
});
