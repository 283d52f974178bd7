import { InvalidArgumentError } from '@commander-js/extra-typings';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Services } from '../server/wire.ts';
import { parseLimit, parseTime, UsageError } from './command.ts';
import { exportMessages } from './inbox/export.ts';
import { list } from './inbox/list.ts';
import { release } from './inbox/release.ts';
import { retry } from './inbox/retry.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-15T12:00:00.000Z') }));
afterEach(() => void vi.useRealTimers());

test.each([
  ['7d', '2026-11-08T12:00:00.000Z'],
  ['2026-11-01T09:30+02:00', '2026-11-01T07:30:00.000Z'],
  ['2026-11-01T09:30:15.5Z', '2026-11-01T09:30:15.500Z'],
])('the time %s is %s', (given, wanted) => {
  expect(parseTime(given)).toBe(wanted);
});

test.each(['', '7', '-7d', '2026-02-31', '2026-2-1', '2026-11-01T25:00'])('the time %j is rejected', given =>
  expect(() => parseTime(given)).toThrow(InvalidArgumentError),
);

test.each(['0', '1e3', '-1', ''])('the limit %j is rejected', given =>
  expect(() => parseLimit(given)).toThrow(InvalidArgumentError),
);

test.each<[string, (services: Services) => Promise<void>]>([
  ['retry of nothing', services => retry(services, undefined, {})],
  ['release of nothing', services => release(services, [], {})],
  ['a search for nothing', services => list(services, { search: ' ', limit: 100 })],
  ['an export without a format', services => exportMessages(services, 'out.csv', {})],
])('%s is rejected before the database is read', async (_, run) => {
  await expect(run({ domainDeps: {} } as Services)).rejects.toThrow(UsageError);
});
