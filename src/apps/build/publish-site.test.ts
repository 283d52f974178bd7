import { expect, test } from 'vitest';
import { testConfig } from '../../../tests/harness/site.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { BuildError, publishSite } from './publish-site.ts';

test.each([
  ['the system', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })],
  ['SQLite', Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })],
  [
    'the bundler',
    new Error('Failed to write file in dist/a.mjs\n\nCaused by:\n    No space left on device (os error 28)'),
  ],
])('a full disk, as told by %s, is one line that says what to do', async (_, error) => {
  const publishing = publishSite({
    config: testConfig({}),
    dist: createTempFolder(),
    warn: () => undefined,
    isNeeded() {
      throw error;
    },
  });
  await expect(publishing).rejects.toThrow(BuildError);
  await expect(publishing).rejects.toThrow(
    /^the disk of \S+ is full\. Nothing was published, [^\n]*free some space/,
  );
});
