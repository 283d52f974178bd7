import { expect, test } from 'vitest';
import type { CheckResult } from '../src/features/audit/check.ts';
import { needsAction } from '../src/features/audit/terms.ts';
import { startAuditedDomains } from './fakes/audited-domains.ts';
import { auditDomain } from './fakes/local-audits.ts';
import { corpus } from './harness/audit-corpus.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';

const internet = await disposeAfterAll(startAuditedDomains(corpus));

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
    unmeasured: [...unmeasured, ...(name.endsWith('.example') ? ['names-expiry'] : [])].toSorted(),
  }));
  const byDomain = (one: Found, other: Found) => one.domain.localeCompare(other.domain);
  const [known = [], reported = []] = [expected, found].map(list =>
    list.flatMap(({ domain, faults }) => Object.entries(faults).map(fault => `${domain} ${fault}`)),
  );
  const right = reported.filter(fault => known.includes(fault)).length;
  expect.soft([right / reported.length, right / known.length], 'precision, recall').toEqual([1, 1]);
  expect(found.toSorted(byDomain)).toEqual(expected.toSorted(byDomain));
}, 60_000);

test('its advice names the host that was examined, and a day within a year', async () => {
  const { results } = await auditDomain(internet, 'long-page.example');
  const find = (id: string) => results.find(({ check }) => check === id)?.values;
  const host = 'www.long-page.example';
  const expires = `${new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;
  expect(find('web-redirect')).toEqual({ domain: host, host: 'example.com' });
  expect(find('web-security-txt')).toEqual({ host, expires });
});

async function audit(domain: string): Promise<Found> {
  const { results } = await auditDomain(internet, domain);
  const isFault = ({ status }: CheckResult) => needsAction(status);
  return {
    domain,
    faults: Object.fromEntries(results.filter(isFault).map(({ check, finding }) => [check, finding])),
    unmeasured: results.flatMap(({ check, status }) => (status === 'not-measurable' ? check : [])).toSorted(),
  };
}
