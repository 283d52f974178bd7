import { expect, test } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import { expireMessages } from './expire-messages.ts';

test('files are read once for any number of expired messages, and no transaction is long', async () => {
  const names = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}`);
  const [aside, digests, old] = [names('Q', 1200), names('D', 3), names('N', 700)];
  const files: { references: string[]; before: string | undefined }[] = [];
  const removed: string[][] = [];
  const privacy = {
    listExpired: async (states: readonly string[]) => (states.includes('new') ? old : aside),
    listDigests: async () => digests,
    async removeMessages(references: readonly string[]) {
      removed.push([...references]);
      return { messages: references.length, undelivered: 0 };
    },
    removeNotices: async () => 0,
    truncateWal: async () => undefined,
  };
  const copies = {
    async expire({ references, before }: { references: ReadonlySet<string>; before: string | undefined }) {
      files.push({ references: [...references], before });
      return { rows: 0, mails: 0 };
    },
  };
  const clock = { now: () => new Date('2026-11-15T09:00:00.000Z') };
  const schedule = { lastRun: async () => undefined, recordRun: async () => undefined };
  const deps = { privacy, copies, schedule, clock, log: collectLog().log };
  await expireMessages(deps, { messagesDays: 730, quarantineDays: 90 });
  // By reference as well as by time: a spreadsheet program may have written the times in its own way.
  expect(files).toEqual([
    { references: [...digests, ...aside], before: undefined },
    { references: old, before: '2024-11-15T09:00:00.000Z' },
  ]);
  expect(removed.flat()).toEqual([...digests, ...aside, ...old]);
  expect(Math.max(...removed.map(({ length }) => length))).toBe(500);
});
