import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAuthority } from '../../../tests/fakes/certificate.ts';
import { createStubAuditNetwork } from '../../../tests/harness/stub-audit-network.ts';
import { NetworkError } from '../../core/network/network-error.ts';
import type { Check } from './check.ts';
import { checks } from './list-checks.ts';
import { type AuditDeps, type AuditProgress, runAudit } from './run-audit.ts';
import { checkGroups } from './terms.ts';

const now = new Date('2026-01-01T12:00:00Z');
const grades = [
  { grade: 'A', from: 90 },
  { grade: 'C', from: 50 },
] as const;

function createDeps(deps: Partial<AuditDeps>): AuditDeps {
  return {
    checks,
    grading: { weights: {}, grades, caps: {} },
    clock: { now: () => now },
    createNetwork: () => createStubAuditNetwork({}),
    ...deps,
  };
}

function createCheck(id: string, run: Check['run'], group: Check['group'] = 'web'): Check {
  return { id, group, findings: { good: 'passed', half: 'attention', bad: 'missing' }, run };
}

const find = (finding: string) => async () => ({ finding });

async function collect(deps: Partial<AuditDeps>): Promise<AuditProgress[]> {
  return Array.fromAsync(runAudit(createDeps(deps), 'example.com'));
}

const resultsOf = (events: AuditProgress[]) =>
  events.flatMap(event => (event.type === 'result' ? [event.result] : []));

test('yields results as they are known, then the report: its grade, and the three costliest faults', async () => {
  const first = Promise.withResolvers<void>();
  const list = [
    createCheck('a', () => first.promise.then(find('good'))),
    createCheck('b', find('half')),
    createCheck('c', find('bad'), 'mail'),
    createCheck('d', find('half'), 'mail'),
    createCheck('e', find('bad'), 'mail'),
    createCheck('f', find('not-measurable'), 'names'),
  ];
  const weights = { a: 10, b: 4, c: 1, d: 6, e: 5, f: 100 };
  const deps = createDeps({ checks: list, grading: { weights, grades, caps: {} } });
  const events: AuditProgress[] = [];
  for await (const event of runAudit(deps, 'example.com')) {
    events.push(event);
    if (events.length === list.length) first.resolve();
  }
  expect(resultsOf(events).map(({ check }) => check)).toEqual(['b', 'c', 'd', 'e', 'f', 'a']);
  expect(events.at(-1)).toMatchObject({
    report: {
      domain: 'example.com',
      measuredAt: now.toISOString(),
      // 26 points, of which b costs 2, c 1, d 3 and e 5.
      score: 57,
      grade: 'C',
      first: ['e', 'd', 'b'],
      groups: [
        { group: 'web', score: 85 },
        { group: 'mail', score: 25 },
        { group: 'names', score: null },
      ],
      results: list.map(({ id }) => ({ check: id })),
    },
  });
  const nothing = await collect({ checks: list.slice(-1) });
  expect(nothing.at(-1)).toMatchObject({ report: { score: null, grade: null, first: [] } });
});

test('a failing check is not measurable; only faults of ours are reported, and not to visitors', async () => {
  const unexpected: unknown[] = [];
  const list = [
    createCheck('network', () => Promise.reject(new NetworkError('no response in time', 'timeout'))),
    createCheck('bug', () => Promise.reject(new TypeError('/srv/app/secret.ts'))),
    createCheck('undeclared', find('surprise')),
    createCheck('hangs', () => new Promise(() => undefined)),
  ];
  const onUnexpectedError = (check: string, error: unknown) =>
    unexpected.push([check, (error as Error).name]);
  const results = resultsOf(await collect({ checks: list, timeoutMs: 50, onUnexpectedError }));
  expect(results.map(({ check, status, evidence }) => [check, status, ...evidence]).toSorted()).toEqual([
    ['bug', 'not-measurable'],
    ['hangs', 'not-measurable', 'the time of the audit is over'],
    ['network', 'not-measurable', 'no response in time'],
    ['undeclared', 'not-measurable'],
  ]);
  expect(unexpected).toEqual([
    ['bug', 'TypeError'],
    ['undeclared', 'Error'],
  ]);
});

test('a report of which our own limits ended a check says so, and has neither points nor grade', async () => {
  const list = [
    createCheck('bad', find('bad')),
    createCheck('limited', () => Promise.reject(new NetworkError('more than 40 connections', 'limit'))),
  ];
  const report = (
    await collect({ checks: list, grading: { weights: { bad: 1, limited: 1 }, grades, caps: {} } })
  ).at(-1);
  expect(report).toMatchObject({
    report: {
      score: null,
      grade: null,
      first: ['bad'],
      groups: checkGroups.map(group => ({ group, score: null })),
      results: [{ finding: 'bad' }, { finding: 'limit', evidence: ['more than 40 connections'] }],
    },
  });
});

test('a caller that leaves ends the audit', async () => {
  let ending: AbortSignal | undefined;
  const deps = createDeps({
    checks: [createCheck('hangs', () => new Promise(() => undefined)), createCheck('quick', find('good'))],
    createNetwork(signal) {
      ending = signal;
      return createStubAuditNetwork({});
    },
  });
  for await (const event of runAudit(deps, 'example.com')) if (event.type === 'result') break;
  expect(ending?.aborted).toBe(true);
});

test('every collected string loses its control characters, and is short', async () => {
  const hostile = `\x1b]0;owned\x07\x1b[2J\u202e\u2066\r\n\0<img src=x onerror=alert(1)>1.0${'A'.repeat(100_000)}`;
  const { cert } = createAuthority('\x1b[2J\u202e<script>').issue({ hosts: ['example.com'] });
  const names = [
    ...['content-security-policy', 'strict-transport-security', 'server', 'referrer-policy', 'set-cookie'],
    ...['x-frame-options', 'x-content-type-options', 'access-control-allow-origin'],
  ];
  const tls = {
    protocol: 'TLSv1.3',
    cipher: hostile,
    chain: [new X509Certificate(cert)],
    problem: hostile,
    certificate: { subjectaltname: hostile, issuer: { O: hostile }, subject: { CN: hostile } },
  } as never;
  const network = createStubAuditNetwork({
    headers: [...names, 'cross-origin-resource-policy'].map(name => [name, hostile]),
    body: `<script src="http://cdn.example.net/${hostile}"></script><meta name=generator content=${'1'.repeat(400_000)}><meta name=generator content='${hostile}'>`,
    tls,
    greeting: hostile,
    record: { text: hostile, data: Buffer.from(hostile) },
  });
  const results = resultsOf(await collect({ createNetwork: () => network }));
  const strings = results.flatMap(({ values, evidence }) => [...Object.values(values), ...evidence]);
  expect(
    results.filter(({ group, evidence }) => group === 'web' && evidence.length > 0).length,
  ).toBeGreaterThan(8);
  expect(strings.filter(one => /[\p{Cc}\u202e\u2066]/u.test(one) || one.length > 300)).toEqual([]);
  expect(strings.some(one => one.includes('<img'))).toBe(true);
});
