import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckResult } from '../src/audit/check.ts';
import { startAuditedDomains } from './fakes/audited-domains.ts';
import type { FakeInternet } from './fakes/internet.ts';
import { auditDomain } from './fakes/local-audits.ts';
import { corpus } from './harness/audit-corpus.ts';

let internet: FakeInternet;
beforeAll(async () => {
  internet = await startAuditedDomains(corpus);
});
afterAll(() => internet[Symbol.asyncDispose]());

type Found = { domain: string; faults: Record<string, string>; unmeasured: string[] };

test('finds every fault of the corpus, and invents none', async () => {
  const left = [...corpus];
  const found: Found[] = [];
  const work = async () => {
    for (let domain = left.pop(); domain; domain = left.pop()) found.push(await audit(domain.name));
  };
  await Promise.all([work(), work(), work(), work()]);
  const expected = corpus.map(({ name, faults, unmeasured = [] }) => ({
    ...{ domain: name, faults },
    // The registry of .example tells nothing.
    unmeasured: name.endsWith('.example') ? [...unmeasured, 'names-expiry'] : unmeasured,
  }));
  const byDomain = (one: Found, other: Found) => one.domain.localeCompare(other.domain);
  const [known, reported] = [listFaults(expected), listFaults(found)];
  const right = reported.filter(fault => known.includes(fault)).length;
  const table = { precision: right / reported.length, recall: right / known.length };
  expect.soft(table).toEqual({ precision: 1, recall: 1 });
  expect(found.toSorted(byDomain)).toEqual(expected.toSorted(byDomain));
}, 60_000);

test('names in its advice the host that it examined', async () => {
  const { results } = await auditDomain(internet, 'www-only.example');
  const find = (id: string) => results.find(({ check }) => check === id)?.values;
  expect(find('web-redirect')).toEqual({ domain: 'www.www-only.example', host: 'example.com' });
  const { host, expires = '' } = find('web-security-txt') ?? {};
  expect(host).toBe('www.www-only.example');
  expect(Math.round((Date.parse(expires) - Date.now()) / 86_400_000)).toBeOneOf([364, 365]);
});

function listFaults(list: Found[]): string[] {
  return list.flatMap(({ domain, faults }) =>
    Object.entries(faults).map(([check, finding]) => `${domain} ${check}: ${finding}`),
  );
}

async function audit(domain: string): Promise<Found> {
  const { results } = await auditDomain(internet, domain);
  const isFault = ({ status }: CheckResult) => status === 'attention' || status === 'missing';
  return {
    domain,
    faults: Object.fromEntries(results.filter(isFault).map(({ check, finding }) => [check, finding])),
    unmeasured: results.filter(({ status }) => status === 'not-measurable').map(({ check }) => check),
  };
}
