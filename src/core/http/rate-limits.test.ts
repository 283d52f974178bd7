import { expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { collectLog } from '../../../tests/harness/site.ts';
import { openTwoStores } from '../../../tests/harness/stores.ts';
import { getRegistrableDomain } from '../network/parse-domain.ts';
import {
  createAuditLimits,
  createMemoryCounts,
  createRateLimit,
  limits,
  listNetworks,
  widestNetwork,
} from './rate-limits.ts';

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
  const { max, windowMs } = limits.bytes;
  expect(await rate.charge('203.0.113.7', max)).toBe(0);
  time += windowMs - 1;
  const charging = rate.charge('203.0.113.7', max);
  time += 1;
  expect(await charging).toBe(1);
  expect(await rate.charge('203.0.113.7', max)).toBe(0);
  expect(await rate.charge('203.0.113.7', 1)).toBeGreaterThan(0);
  await rate.refund('203.0.113.7', 2 * max);
  expect(await rate.charge('203.0.113.7', max + 1)).toBeGreaterThan(0);
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

test.each(databases.filter(({ name }) => name === 'PostgreSQL'))(
  'processes on one $name share the limits of audits, also at once',
  async ({ create }) => {
    const { store, other, close } = await openTwoStores(create);
    const clock = { now: () => new Date('2026-01-02') };
    const [one, two] = [store, other].map(({ rateCounts: counts }) =>
      createAuditLimits({ counts, clock, hmac: { sign: (_, text) => text }, getRegistrableDomain }),
    ) as [ReturnType<typeof createAuditLimits>, ReturnType<typeof createAuditLimits>];
    const consume = (audits: { name: string; network: string }[]) =>
      Promise.all(audits.map((audit, at) => (at % 2 ? one : two).consume(audit)));
    /** All at once, which may refuse some too many, and then one after the other. */
    const countAccepted = async (audits: { name: string; network: string }[]) => {
      const answers = await consume(audits);
      const refused = audits.filter((_, at) => answers[at] !== undefined);
      for (const audit of refused) answers.push(...(await consume([audit])));
      return answers.filter(reached => reached === undefined).length;
    };
    const sameName = Array.from({ length: 10 }, (_, at) => ({ name: 'a.com', network: `n${at}` }));
    expect(await countAccepted(sameName)).toBe(1);
    const sameNetwork = Array.from({ length: 20 }, (_, at) => ({ name: `b${at}.com`, network: 'one' }));
    expect(await countAccepted(sameNetwork)).toBe(limits.auditNetwork.max);
    const others = Array.from({ length: 100 }, (_, at) => ({ name: `c${at}.com`, network: `m${at}` }));
    expect(await countAccepted(others)).toBe(limits.auditTotal.max - limits.auditNetwork.max - 1);
    // Erased in both processes at once: the name may be audited once more, not twice.
    await Promise.all([one.refundErased('a.com'), two.refundErased('a.com')]);
    expect(await store.rateCounts.read(['a.com'], clock.now().toISOString())).toEqual([0]);
    await close();
  },
);
