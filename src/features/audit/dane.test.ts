import { createHash, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAuthority } from '../../../tests/fakes/certificate.ts';
import { isUsable, matchDane, type Tlsa } from './dane.ts';

const now = new Date('2026-06-01');
const names = ['mail.example', 'example'];
const authority = createAuthority();
const issue = (options: Omit<Parameters<typeof authority.issue>[0], 'hosts'> & { host?: string } = {}) =>
  new X509Certificate(authority.issue({ hosts: [options.host ?? 'mail.example'], ...options }).cert);
const [own, root] = [issue(), new X509Certificate(authority.cert)];
const other = new X509Certificate(createAuthority().cert);
const expired = { from: '20250101000000Z', until: '20260101000000Z' };

/** '2 1 1' of a certificate. */
function tlsa(parameters: string, { raw, publicKey }: X509Certificate): Tlsa {
  const [usage = 0, selector = 0, matchingType = 0] = parameters.split(' ').map(Number);
  const part = selector === 0 ? raw : publicKey.export({ type: 'spki', format: 'der' });
  const hash = { 1: 'sha256', 2: 'sha512' }[matchingType];
  return {
    usage,
    selector,
    matchingType,
    certificate: hash ? createHash(hash).update(part).digest() : part,
  };
}

/** Each as `posttls-finger -l dane-only` judges it. */
test.each<[string, { records: Tlsa[]; chain: X509Certificate[]; finding: string }]>([
  ['the server’s certificate', { records: [tlsa('3 0 1', own)], chain: [own], finding: 'matches' }],
  ['its key', { records: [tlsa('3 1 2', own)], chain: [own], finding: 'matches' }],
  ['its key, whole', { records: [tlsa('3 1 0', own)], chain: [own], finding: 'matches' }],
  ['another key', { records: [tlsa('3 1 1', other)], chain: [own, root], finding: 'mismatch' }],
  [
    'one of several',
    { records: [tlsa('3 1 1', other), tlsa('3 1 1', own)], chain: [own], finding: 'matches' },
  ],
  [
    'a weaker digest that matches beside a stronger one that does not',
    { records: [tlsa('3 1 1', own), tlsa('3 1 2', other)], chain: [own], finding: 'mismatch' },
  ],
  [
    'its key, out of date and for another name',
    { records: [tlsa('3 1 1', own)], chain: [issue({ ...expired, host: 'a.example' })], finding: 'matches' },
  ],
  ['an authority that is sent', { records: [tlsa('2 1 1', root)], chain: [own, root], finding: 'matches' }],
  ['an authority that is not sent', { records: [tlsa('2 1 1', root)], chain: [own], finding: 'mismatch' }],
  ['an authority, whole', { records: [tlsa('2 0 0', root)], chain: [own], finding: 'matches' }],
  ['the key of an authority, whole', { records: [tlsa('2 1 0', root)], chain: [own], finding: 'matches' }],
  ['a stranger that is sent', { records: [tlsa('2 1 1', other)], chain: [own, other], finding: 'mismatch' }],
  ['the server’s own as authority', { records: [tlsa('2 1 1', own)], chain: [own], finding: 'mismatch' }],
  [
    'an authority, for another name',
    { records: [tlsa('2 1 1', root)], chain: [issue({ host: 'a.example' }), root], finding: 'invalid' },
  ],
  [
    'an authority, for the domain',
    { records: [tlsa('2 1 1', root)], chain: [issue({ host: 'example' }), root], finding: 'matches' },
  ],
  [
    'an authority, for a common name',
    { records: [tlsa('2 1 1', root)], chain: [issue({ isCommonNameOnly: true }), root], finding: 'matches' },
  ],
  [
    'an authority, out of date',
    { records: [tlsa('2 1 1', root)], chain: [issue(expired), root], finding: 'invalid' },
  ],
  ['nothing that is sent', { records: [tlsa('3 1 1', own)], chain: [], finding: 'mismatch' }],
])('a record that names %s', (_, { records, chain, finding }) => {
  expect(records.every(isUsable)).toBe(true);
  expect(matchDane({ records, chain, names, now })).toBe(finding);
});

test('mail servers use no other usage, selector, matching type or length', () => {
  const good = tlsa('3 1 1', own);
  const broken = { usage: 1, selector: 2, matchingType: 3, certificate: good.certificate.subarray(1) };
  for (const [field, value] of Object.entries(broken))
    expect([field, isUsable({ ...good, [field]: value })]).toEqual([field, false]);
});

test('thousands of records cost each certificate one reading', () => {
  const record = tlsa('2 1 1', own);
  const records = Array.from({ length: 4000 }, (_, at) => ({
    ...record,
    certificate: createHash('sha256').update(String(at)).digest(),
  }));
  const start = process.cpuUsage();
  expect(matchDane({ records, chain: [own, ...Array(9).fill(root)], names, now })).toBe('mismatch');
  // With a reading for each record, more than five seconds.
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
});
