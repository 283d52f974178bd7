import { expect, test } from 'vitest';
import { createSpfZone, judgeSpf, spfDomain, spfRecords } from '../../../tests/harness/spf-records.ts';
import { createZoneDns } from '../../../tests/harness/zone-dns.ts';
import { readSpf } from './spf.ts';

test.each(spfRecords)('receivers answer $verdict to $texts', async ({ verdict, texts }) => {
  expect(await judgeSpf(spfDomain, createSpfZone(texts))).toBe(verdict);
});

test.each([
  ['v=spf1 mx ip4:192.0.2.0/33 -all', 'broken', 'ip4:192.0.2.0/33'],
  ['v=spf1 mx include:broken.example -all', 'broken', 'ip4:192.0.2.1/33'],
  ['v=spf1 a:gone1.example a:gone2.example a:gone3.example -all', 'void-lookups', 'a:gone3.example'],
  ['v=spf1 a mx', 'open', 'mx'],
  ['v=spf1 include:pass.example -all', 'everyone', 'include:pass.example'],
])('names the part of %s that is at fault', async (text, finding, term) => {
  const { fault } = await readSpf(spfDomain, createZoneDns(createSpfZone([text])));
  expect(fault).toEqual({ finding, term });
});

test('ends records that lead to each other, and long ones, at once', async () => {
  const zone = createSpfZone(['v=spf1 include:a.example -all']);
  zone['a.example'] = { TXT: ['v=spf1 include:b.example -all'] };
  zone['b.example'] = { TXT: ['v=spf1 redirect=a.example'] };
  expect((await readSpf(spfDomain, createZoneDns(zone))).fault?.finding).toBe('lookups');
  const start = performance.now();
  for (const part of [
    `a:x.${'a'.repeat(60_000)}!`,
    `a:${'/1'.repeat(30_000)}`,
    '%'.repeat(60_000),
    ' a'.repeat(30_000),
  ])
    await judgeSpf(spfDomain, createSpfZone([`v=spf1 ${part} -all`]));
  expect(performance.now() - start).toBeLessThan(2000);
});
