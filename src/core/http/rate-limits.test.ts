import { expect, test } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import { createMemoryCounts, createRateLimit, hour, listNetworks, widestNetwork } from './rate-limits.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString();

test('counts in memory are read without being changed, each until the end of its window', async () => {
  const counts = createMemoryCounts();
  await counts.add(['a', 'a', 'b'], at(0), at(60));
  await counts.add(['day'], at(0), at(86_400));
  expect(await counts.read(['a', 'b', 'nobody', 'day'], at(59))).toEqual([2, 1, 0, 1]);
  expect(await counts.read(['a', 'day'], at(60))).toEqual([0, 1]);
  expect(await counts.add(['a', 'day'], at(60), at(120))).toEqual([
    { count: 1, resetsAt: at(120) },
    { count: 2, resetsAt: at(86_400) },
  ]);
});

test('counts in memory are bounded: the least recently counted client is evicted first', async () => {
  const counts = createMemoryCounts(3);
  for (const client of ['a', 'b', 'c', 'a', 'd', 'e']) await counts.add([client], at(0), at(60));
  expect(await counts.read(['a', 'b', 'c', 'd', 'e'], at(1))).toEqual([2, 0, 0, 1, 1]);
  const many = Array.from({ length: 10_000 }, (_, index) => `text ${index}`);
  await counts.add(many, at(1), at(60));
  const left = await counts.read(['a', 'd', 'e', ...many], at(2));
  expect(left.filter(count => count > 0)).toEqual([1, 1, 1]);
});

test('what is undone after its window has ended allows no more in the next', async () => {
  const counts = createMemoryCounts();
  let time = Date.UTC(2026, 0, 2);
  const clock = { now: () => new Date(time) };
  const { log } = collectLog();
  const rate = createRateLimit({ counts, clock, hmac: { sign: (_, text) => text }, log });
  const bytes = { name: 'bytes', max: 1000, windowMs: hour, isUndone: true } as const;
  const charge = (amount: number) => rate.consume('203.0.113.7', bytes, amount);
  expect(await charge(bytes.max)).toBe(0);
  time += bytes.windowMs - 1;
  const charging = charge(bytes.max);
  time += 1;
  expect(await charging).toBe(1);
  expect(await charge(bytes.max)).toBe(0);
  expect(await charge(1)).toBeGreaterThan(0);
  await rate.refund('203.0.113.7', bytes, 2 * bytes.max);
  expect(await charge(bytes.max + 1)).toBeGreaterThan(0);
});

test.each([
  ['203.0.113.7', '203.0.113.7 x1', '203.0.113.0/24'],
  ['2001:db8:1:a2ff/64', '2001:db8:1:a2ff/64 x1, 2001:db8:1:a2/56 x2, 2001:db8:1/48 x4', '2001:db8:1/48'],
  ['', ' x1', ''],
])('%j is counted in %j, and takes its turns in %s', (address, counted, widest) => {
  const networks = listNetworks(address).map(({ name, limitFactor }) => `${name} x${limitFactor}`);
  expect(networks.join(', ')).toBe(counted);
  expect(widestNetwork(address)).toBe(widest);
});
