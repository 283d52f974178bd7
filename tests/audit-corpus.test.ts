import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckResult } from '../src/audit/check.ts';
import { startAuditedDomains } from './fakes/audited-domains.ts';
import type { FakeInternet } from './fakes/internet.ts';
import { type CorpusDomain, corpus } from './harness/audit-corpus.ts';
import { auditDomain } from './harness/audit-domain.ts';

let internet: FakeInternet;
beforeAll(async () => {
  internet = await startAuditedDomains(corpus);
});
afterAll(() => internet[Symbol.asyncDispose]());

type Row = { domain: string; expected: string[]; found: string[]; unmeasured: string[] };

test('finds every fault of the corpus, and invents none', async () => {
  const rows: Row[] = [];
  const left = [...corpus];
  const work = async () => {
    for (let domain = left.pop(); domain; domain = left.pop()) rows.push(await audit(domain));
  };
  await Promise.all([work(), work(), work(), work()]);
  const count = (list: (row: Row) => string[]) => rows.flatMap(list).length;
  const hits = count(({ expected, found }) => found.filter(one => expected.includes(one)));
  const figures = {
    domains: rows.length,
    faults: count(row => row.expected),
    precision: hits / count(row => row.found),
    recall: hits / count(row => row.expected),
  };
  process.stdout.write(`\n${formatTable(rows)}\n${JSON.stringify(figures)}\n`);
  expect(rows.filter(({ expected, found }) => String(expected) !== String(found))).toEqual([]);
  expect(figures).toMatchObject({ precision: 1, recall: 1 });
  expect(figures.domains).toBeGreaterThanOrEqual(30);
  for (const { domain, unmeasured } of rows)
    expect([domain, ...unmeasured]).toEqual([domain, ...listUnmeasured(domain)]);
}, 60_000);

async function audit({ name, faults }: CorpusDomain): Promise<Row> {
  const { results } = await auditDomain(internet, name);
  const isFault = ({ status }: CheckResult) => status === 'attention' || status === 'missing';
  return {
    domain: name,
    expected: Object.entries(faults).map(describe).toSorted(),
    found: results
      .filter(isFault)
      .map(({ check, finding }) => describe([check, finding]))
      .toSorted(),
    unmeasured: results.filter(({ status }) => status === 'not-measurable').map(({ check }) => check),
  };
}

const describe = ([check, finding]: [string, string]) => `${check}: ${finding}`;

/** The registry of .example tells nothing. */
function listUnmeasured(name: string): string[] {
  const { unmeasured = [] } = corpus.find(one => one.name === name) ?? {};
  return name.endsWith('.example') ? [...unmeasured, 'names-expiry'] : unmeasured;
}

function formatTable(rows: Row[]): string {
  return rows
    .toSorted((one, other) => one.domain.localeCompare(other.domain))
    .map(({ domain, expected, found }) => {
      const missed = expected.filter(one => !found.includes(one)).map(one => `MISSED ${one}`);
      const marked = found.map(one => (expected.includes(one) ? one : `INVENTED ${one}`));
      return `${domain.padEnd(26)}${[...marked, ...missed].join(', ') || 'no fault'}`;
    })
    .join('\n');
}
