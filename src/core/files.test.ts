import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../tests/harness/temp-folder.ts';

test('a killed process leaves the old or the new file, whole', async () => {
  const path = join(createTempFolder(), 'text.yaml');
  writeFileSync(path, 'x'.repeat(3_000_000), { mode: 0o640 });
  const program = `import { writeFileAtomically } from ${JSON.stringify(new URL('./files.ts', import.meta.url).href)};
    console.log('writing');
    for (let letter = 97; ; letter = letter === 122 ? 97 : letter + 1)
      await writeFileAtomically(${JSON.stringify(path)}, String.fromCharCode(letter).repeat(3_000_000));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  await once(child.stdout, 'data');
  await wait(150);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const text = readFileSync(path, 'utf8');
  expect(text).toHaveLength(3_000_000);
  expect(new Set(text).size).toBe(1);
  expect(statSync(path).mode & 0o777).toBe(0o640);
});
