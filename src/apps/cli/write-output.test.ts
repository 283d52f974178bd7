import { afterEach, expect, test } from 'vitest';
import type { WiredSite } from '../../../tests/harness/site.ts';
import { UsageError } from '../../core/action.ts';
import { exportMessages } from '../../features/messages/actions/read-messages.ts';
import { performAction } from './run-actions.ts';
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
  const input = { file: '-', csv: true, json: false, force: false };
  await expect(performAction(exportMessages, {} as WiredSite, input, {})).rejects.toThrow(UsageError);
  expect(() => writeData('a message')).toThrow('terminal');
  process.stdout.isTTY = false;
  expect(isStandardOutput('-')).toBe(true);
});
