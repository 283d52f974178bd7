import { expect, test } from 'vitest';
import { listNetworks, widestNetwork } from './ip-networks.ts';
import { createMemoryCounts } from './rate-limit.ts';

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

test.each([
  ['203.0.113.7', '203.0.113.7 x1', '203.0.113.0/24'],
  ['2001:db8:1:a2ff/64', '2001:db8:1:a2ff/64 x1, 2001:db8:1:a2/56 x2, 2001:db8:1/48 x4', '2001:db8:1/48'],
  ['', ' x1', ''],
])('%j is counted in %j, and takes its turns in %s', (address, counted, widest) => {
  const networks = listNetworks(address).map(({ name, limitFactor }) => `${name} x${limitFactor}`);
  expect(networks.join(', ')).toBe(counted);
  expect(widestNetwork(address)).toBe(widest);
});
