import { afterEach, expect, test } from 'vitest';
import type { Services } from '../server/wire.ts';
import { UsageError } from './command.ts';
import { exportList } from './newsletter/list.ts';
import { exportAll } from './privacy/export.ts';
import { writeData } from './terminal.ts';
import { isStandardOutput } from './write-output.ts';

const { isTTY } = process.stdout;
afterEach(() => {
  process.stdout.isTTY = isTTY;
});

test('messages are not written to a terminal, and the check comes before any read', async () => {
  process.stdout.isTTY = true;
  expect(() => isStandardOutput('-')).toThrow(UsageError);
  expect(isStandardOutput('messages.csv')).toBe(false);
  await expect(exportAll({} as Services, 'zoe@example.com', '-', {})).rejects.toThrow(UsageError);
  await expect(exportList({ domainDeps: {} } as Services, { csv: true })).rejects.toThrow(UsageError);
  expect(() => writeData('a message')).toThrow('terminal');
  process.stdout.isTTY = false;
  expect(isStandardOutput('-')).toBe(true);
});
