import { expect, test } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import { expireMessages } from './expire-messages.ts';

test('however many are too old, files are read through once, and no transaction is long', async () => {
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
    settleLog: async () => undefined,
  };
  const copies = {
    async expire({ references, before }: { references: ReadonlySet<string>; before: string | undefined }) {
      files.push({ references: [...references], before });
      return { rows: 0, mails: 0 };
    },
  };
  const clock = { now: () => new Date('2026-11-15T09:00:00.000Z') };
  const turns = { lastTurn: async () => '2026-11-15T08:00:00.000Z', noteDone: async () => undefined };
  const deps = { privacy, copies, turns, clock, log: collectLog().log };
  await expireMessages(deps, { messagesDays: 730, quarantineDays: 90 });
  // By reference as well as by time: a spreadsheet program may have written the times in its own way.
  expect(files).toEqual([
    { references: [...digests, ...aside], before: undefined },
    { references: old, before: '2024-11-15T09:00:00.000Z' },
  ]);
  expect(removed.flat()).toEqual([...digests, ...aside, ...old]);
  expect(Math.max(...removed.map(({ length }) => length))).toBe(500);
});

test('a clock that has moved by more than a week has an hour to be put right, whatever process looks next', async () => {
  const done = new Map([['retention', '2024-01-01T00:00:00.000Z']]);
  const turns = {
    lastTurn: async (chore: string) => done.get(chore),
    noteDone: async (chore: string, at: string) => void done.set(chore, at),
  };
  let looks = 0;
  const privacy = {
    async listExpired() {
      looks++;
      return [];
    },
    listDigests: async () => [],
    removeMessages: async () => ({ messages: 0, undelivered: 0 }),
    removeNotices: async () => 0,
    settleLog: async () => undefined,
  };
  const { log, lines } = collectLog();
  const copies = { expire: async () => ({ rows: 0, mails: 0 }) };
  async function looksAt(time: string): Promise<number> {
    const clock = { now: () => new Date(time) };
    looks = 0;
    await expireMessages({ privacy, copies, turns, clock, log }, { messagesDays: 730, quarantineDays: 90 });
    return looks;
  }
  expect(await looksAt('2026-11-15T09:00:00.000Z')).toBe(0);
  // Another process, or the same that was started anew.
  expect(await looksAt('2026-11-15T09:00:01.000Z')).toBe(0);
  expect(await looksAt('2026-11-15T09:40:00.000Z')).toBe(0);
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 'warn', event: 'retention waits an hour' },
  ]);
  expect(await looksAt('2026-11-15T09:59:59.900Z')).toBe(2);
  expect(await looksAt('2026-11-15T10:00:00.000Z')).toBe(2);
  // A later jump is another one, and so is the way back from it.
  expect(await looksAt('2031-01-01T00:00:00.000Z')).toBe(0);
  expect(await looksAt('2026-11-15T10:10:00.000Z')).toBe(2);
  expect(await looksAt('2030-01-01T00:00:00.000Z')).toBe(0);
});
