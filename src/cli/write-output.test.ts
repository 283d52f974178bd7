import { afterEach, expect, test } from 'vitest';
import type { Wired } from '../server/wire.ts';
import { UsageError } from './command.ts';
import { exportList } from './newsletter/list.ts';
import { exportAll } from './privacy/export.ts';
import { writeData } from './terminal.ts';
import { isStandardOutput } from './write-output.ts';

const { isTTY } = process.stdout;
afterEach(() => {
  process.stdout.isTTY = isTTY;
});

test('a terminal is not given what visitors wrote, before anything is read', async () => {
  process.stdout.isTTY = true;
  expect(() => isStandardOutput('-')).toThrow(UsageError);
  expect(isStandardOutput('messages.csv')).toBe(false);
  await expect(exportAll({} as Wired, 'zoe@example.com', '-', {})).rejects.toThrow(UsageError);
  await expect(exportList({ store: {} } as Wired, { csv: true })).rejects.toThrow(UsageError);
  expect(() => writeData('what visitors wrote')).toThrow('terminal');
  process.stdout.isTTY = false;
  expect(isStandardOutput('-')).toBe(true);
});
