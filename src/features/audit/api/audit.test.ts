import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeRunner } from '../../../../tests/fakes/audit-runner.ts';
import { databaseUnderTest } from '../../../../tests/harness/databases.ts';
import { form, json, origin } from '../../../../tests/harness/requests.ts';
import type { WiredSite } from '../../../../tests/harness/site.ts';
import { createSiteFixture } from '../../../../tests/harness/site-fixture.ts';
import { createSiteApp } from '../../../apps/server/app.ts';
import type { Problem } from '../../../lib/problem.ts';
import { auditReportField } from '../../messages/contract.ts';
import { type AuditEvent, auditApiPath, auditPaths } from '../contract.ts';
import { audit, createAuditFeature } from '../feature.ts';
import { limits } from '../requests/audit-limits.ts';
import { queueLimits } from '../requests/audit-queue.ts';
import { expireReports } from '../requests/read-report.ts';
import type { AuditPages } from './audit-pages.ts';

type Report = Extract<AuditEvent, { type: 'report' }>;
const hour = 60 * 60 * 1000;

describe.each(databaseUnderTest)('the audit on $name', ({ create }) => {
  const clock = { now: () => fixture.clock.now() };
  const runner = createFakeRunner(clock);
  const fixture = createSiteFixture(create, {
    env: { SITE_URL: 'https://www.wardhouse.co.uk', AUDIT_DENY: 'WWW.Denied.com' },
    overrides: { features: [createAuditFeature({ runner })] },
    emptied: ['audit_reports', 'audit_links', 'rate_counts', 'messages'],
  });
  const { query, lines, wireSite } = fixture;
  beforeEach(() => void runner.started.splice(0));
  afterEach(() => void vi.useRealTimers());

  const post = (domain: unknown, { app }: Pick<WiredSite, 'app'> = fixture.site, ip = '192.0.2.1') =>
    app.fetch(json({ domain }, {}, auditApiPath), { ip });
  const events = async (response: Response | Promise<Response>): Promise<AuditEvent[]> =>
    (await (await response).text())
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line));
  const report = async (response: Response | Promise<Response>) => (await events(response)).at(-1) as Report;

  test('streams each event in its order, and ends with a link of 128 bits whose hash alone is stored', async () => {
    const release = runner.hold();
    const response = await post('https://www.Example.com/page');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const read = async () => JSON.parse(new TextDecoder().decode((await reader.read()).value));
    expect(await read()).toMatchObject({ type: 'started' });
    release();
    expect(await read()).toMatchObject({ type: 'result', result: { check: 'https' } });
    expect(await read()).toMatchObject({ type: 'result', result: { check: 'dmarc' } });
    const last = await read();
    expect(last).toMatchObject({
      type: 'report',
      ageSeconds: 0,
      report: { domain: 'example.com', grade: 'E' },
    });
    expect(last.path).toMatch(/^\/audit\/report\/[0-9a-f]{32}$/);
    expect((await reader.read()).done).toBe(true);
    const stored = JSON.stringify([
      await query('select * from audit_reports'),
      await query('select * from audit_links'),
    ]);
    expect(stored).not.toContain(last.path.split('/').at(-1));
    expect(stored).not.toContain('192.0.2.1');
  });

  test('shows a result of the last hour again, with its age and a link of its own', async () => {
    const first = await report(post('example.com'));
    fixture.now += hour - 1000;
    const second = await report(post('example.com'));
    expect(second).toEqual({ ...first, path: second.path, ageSeconds: 3599 });
    expect(second.path).not.toBe(first.path);
    fixture.now += 1000;
    expect(await report(post('example.com'))).toMatchObject({ ageSeconds: 0 });
    expect(runner.started).toEqual(['example.com', 'example.com']);
  });

  test('shares one audit between visitors who request a domain at the same time', async () => {
    await using site = await wireSite({ RATE_LIMIT: 'on' });
    const reports = await Promise.all(Array.from({ length: 5 }, () => report(post('example.com', site))));
    expect(runner.started).toEqual(['example.com']);
    expect(new Set(reports.map(one => one.report.id)).size).toBe(1);
    expect(new Set(reports.map(one => one.path)).size).toBe(5);
  });

  test.each([
    ['localhost', 400, 'invalid-domain'],
    [7, 400, undefined],
    ['wardhouse.co.uk', 400, 'not-offered'],
    ['shop.wardhouse.co.uk', 400, 'not-offered'],
    ['www.denied.com', 400, 'not-offered'],
  ])('%j is refused with %i %s', async (domain, status, reason) => {
    const response = await post(domain);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect((await response.json()) as Problem).toMatchObject(reason ? { status, reason } : { status });
    expect(runner.started).toEqual([]);
  });

  test('a domain that only ends with the same letters is not ours', async () => {
    expect(await report(post('notwardhouse.co.uk'))).toMatchObject({ type: 'report' });
  });

  test('AUDIT=off answers 503 and keeps earlier links', async () => {
    const { path } = await report(post('example.com'));
    await using off = await wireSite({ AUDIT: 'off' });
    expect(await (await post('example.com', off)).json()).toMatchObject({ status: 503, reason: 'off' });
    expect((await withPages(off).fetch(new Request(origin + path))).status).toBe(200);
  });

  test.each(['misspelt.com', 'silent.com'])(
    'without a result for %s the next request is a new audit',
    async name => {
      await using site = await wireSite({ RATE_LIMIT: 'on' });
      for (let count = 0; count < 2; count += 1)
        expect(await report(post(name, site))).toEqual({ type: 'failed', reason: 'no-answer' });
      expect(runner.started).toEqual([name, name]);
      expect(await query('select * from audit_reports')).toEqual([]);
      expect(lines.join('')).toContain('audit ended');
    },
  );

  test('a report that our own limits cut short is for those alone who requested it', async () => {
    await using site = await wireSite({ RATE_LIMIT: 'on' });
    const first = await report(post('limited.com', site));
    expect(first).toMatchObject({
      report: { grade: null, results: [{ check: 'https' }, { finding: 'limit' }] },
    });
    expect((await withPages(site).fetch(new Request(origin + first.path))).status).toBe(200);
    expect(await (await post('limited.com', site)).json()).toMatchObject({ reason: 'checked-recently' });
  });

  describe('is limited', () => {
    const refusal = async (response: Response) => ({
      ...((await response.json()) as Problem),
      retryAfter: Number(response.headers.get('retry-after')),
    });
    const limited = (retryAfter: number, reason = 'too-many') => ({ status: 429, reason, retryAfter });

    test('by the network of the visitor, for results of before as well', async () => {
      await using site = await wireSite({ RATE_LIMIT: 'on' });
      for (let count = 0; count < limits.audit.max; count += 1)
        expect((await report(post('example.com', site))).type).toBe('report');
      expect(await refusal(await post('example.com', site))).toMatchObject(limited(3600));
      expect((await report(post('example.com', site, '192.0.2.2'))).type).toBe('report');
    });

    test('to one live audit of a domain an hour: a stranger who deletes the result locks it for nobody', async () => {
      await using site = await wireSite({ RATE_LIMIT: 'on' });
      const auditAndDelete = async () => {
        const { path } = await report(post('example.com', site));
        await site.app.fetch(form({ action: 'delete' }, {}, path));
      };
      await auditAndDelete();
      fixture.now += 600_000;
      // Once an hour, so that deleting does not repeat the visit for ever.
      await auditAndDelete();
      expect(runner.started).toHaveLength(2);
      expect(await refusal(await post('example.com', site))).toMatchObject(limited(3000, 'checked-recently'));
      fixture.now += 3_000_000;
      expect(await report(post('example.com', site))).toMatchObject({ ageSeconds: 0 });
    });

    test('and one whose link others have, or that is old, is not audited again when one deletes it', async () => {
      await using site = await wireSite({ RATE_LIMIT: 'on' });
      const { path } = await report(post('example.com', site));
      const { path: ofAnother } = await report(post('example.com', site, '192.0.2.2'));
      await site.app.fetch(form({ action: 'delete' }, {}, path));
      expect(await report(post('example.com', site))).toMatchObject({ type: 'report' });
      expect(runner.started).toEqual(['example.com']);
      fixture.now += hour;
      await site.app.fetch(form({ action: 'delete' }, {}, ofAnother));
      // No credit is left from the window that has ended.
      const { path: next } = await report(post('example.com', site));
      await site.app.fetch(form({ action: 'delete' }, {}, next));
      expect((await report(post('example.com', site))).type).toBe('report');
      expect(runner.started).toHaveLength(3);
    });

    test('to some an hour of all names below one domain, by a count that no other domain uses', async () => {
      await using site = await wireSite({ RATE_LIMIT: 'on' });
      const audit = (name: string, network: number) => post(`${name}.co.uk`, site, `192.0.2.${network}`);
      for (let index = 0; index < limits.auditDomain.max; index += 1)
        expect((await report(audit(`d${index}.victim`, index % 4))).type).toBe('report');
      await report(audit('other', 5));
      expect(await refusal(await audit('victim', 5))).toMatchObject(limited(3600, 'checked-recently'));
      expect(await report(audit('c.other', 5))).toMatchObject({ type: 'report' });
    });

    test.each([
      ['an IPv4 address', () => '192.0.2.1', '192.0.2.2'],
      ['an IPv6 /48', (index: number) => `2001:db8:1:${index}/64`, '2001:db8:2:0/64'],
    ])('to a share for %s, so that no network takes the audit from all', async (_, client, other) => {
      await using site = await wireSite({ RATE_LIMIT: 'on' });
      const audit = (index: number, ip = client(index)) => post(`d${index}.com`, site, ip);
      // What visits nothing is no part of the share.
      for (let index = 0; index < 2; index += 1) await report(post('misspelt.com', site, client(index)));
      for (let index = 0; index < limits.auditNetwork.max; index += 1)
        expect((await report(audit(index))).type).toBe('report');
      expect(await refusal(await audit(limits.auditNetwork.max))).toMatchObject(limited(3600));
      expect((await report(audit(0, client(7)))).type).toBe('report');
      expect((await report(audit(limits.auditNetwork.max, other))).type).toBe('report');
    });

    test('and a refund that comes after the hour adds nothing to the next', async () => {
      await using site = await wireSite({ RATE_LIMIT: 'on' });
      const release = runner.hold();
      const late = await post('misspelt.com', site);
      fixture.now += hour;
      release();
      expect(await report(late)).toMatchObject({ type: 'failed' });
      for (let index = 0; index < limits.auditNetwork.max; index += 1)
        expect((await report(post(`d${index}.com`, site))).type).toBe('report');
      expect(await refusal(await post('more.com', site))).toMatchObject(limited(3600));
    });

    test('over all domains, by a count that neither a refusal nor a name without servers uses up', async () => {
      await using site = await wireSite({ RATE_LIMIT: 'on' });
      const audit = (index: number) => post(`d${index}.com`, site, `192.0.2.${Math.floor(index / 5)}`);
      for (let index = 0; index < 10; index += 1)
        await report(post('misspelt.com', site, `198.51.100.${index}`));
      for (let index = 0; index < limits.auditTotal.max; index += 1)
        expect((await report(audit(index))).type).toBe('report');
      expect(await refusal(await audit(limits.auditTotal.max))).toMatchObject(limited(3600));
      fixture.now += hour;
      expect(await report(audit(limits.auditTotal.max))).toMatchObject({ type: 'report' });
    });

    test('and one that a hostile server ends is not repeated at once', async () => {
      await using site = await wireSite({ RATE_LIMIT: 'on' });
      expect(await report(post('crash.com', site))).toEqual({ type: 'failed', reason: 'unexpected' });
      expect(lines.join('')).toContain('audit failed');
      expect(await refusal(await post('crash.com', site))).toMatchObject(limited(3600, 'checked-recently'));
      expect(runner.started).toEqual(['crash.com']);
    });

    test('to a few at a time; the others wait in order, and beyond the queue 429', async () => {
      await using site = await wireSite();
      const release = runner.hold();
      const { maxRunning, maxWaiting } = queueLimits;
      const responses: Response[] = [];
      for (let index = 0; index < maxRunning + maxWaiting; index += 1)
        responses.push(await post(`d${index}.com`, site));
      expect(runner.started).toHaveLength(maxRunning);
      expect(await refusal(await post('late.com', site))).toMatchObject({ status: 429, reason: 'busy' });
      const withoutScript = await withPages(site).fetch(form({ domain: 'late.com' }, {}, auditPaths.page));
      expect(withoutScript.headers.get('location')).toBe('/audit#busy');
      expect(await site.metrics.registry.metrics()).toContain('wardhouse_audits_total{outcome="busy"} 2');
      release();
      const last = await events(responses.at(-1) as Response);
      expect(last[0]).toEqual({ type: 'waiting', ahead: maxWaiting - 1, seconds: 100 });
      expect(last.at(-1)).toMatchObject({ type: 'report', report: { domain: 'd54.com' } });
      expect(runner.started.at(-1)).toBe('d54.com');
    });

    test('and one that waits is not run for a visitor who left', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      await using site = await wireSite({ RATE_LIMIT: 'on' });
      const release = runner.hold();
      const running = Array.from({ length: queueLimits.maxRunning }, (_, index) =>
        post(`d${index}.com`, site),
      );
      await Promise.all(running);
      const left = await post('left.com', site);
      // Without JavaScript a page must be complete within 20 s.
      const joined = await withPages(site).fetch(form({ domain: 'left.com' }, {}, auditPaths.page));
      expect(joined.headers.get('location')).toBe('/audit#busy');
      const reader = (left.body as ReadableStream).getReader();
      await reader.read();
      const cancelled = reader.cancel();
      vi.advanceTimersByTime(2000);
      await cancelled;
      release();
      await report(post('stays.com', site, '192.0.2.2'));
      expect(runner.started).not.toContain('left.com');
      expect(await report(post('left.com', site, '192.0.2.2'))).toMatchObject({ ageSeconds: 0 });
    });
  });

  describe('without JavaScript', () => {
    const send = (fields: Record<string, string>, path: string = auditPaths.page) =>
      withPages(fixture.site).fetch(form(fields, {}, path));
    const open = (path: string) => withPages(fixture.site).fetch(new Request(origin + path));

    test('the link opens the report and is secret; deleted, it is 404 like an unknown one', async () => {
      const { path } = await report(post('example.com'));
      fixture.now += 60_000;
      const page = await open(path);
      expect(await page.text()).toBe(`<html><h1>example.com ${path} 60</h1></html>`);
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-robots-tag': 'noindex',
        'content-security-policy': 'of the page',
      });
      expect(lines.join('')).toContain('/audit/report/(hidden)');
      expect(lines.join('')).not.toContain(path);
      expect((await send({ action: 'other' }, path)).status).toBe(400);
      const deleted = await send({ action: 'delete' }, path);
      expect([deleted.status, deleted.headers.get('location')]).toEqual([303, '/audit#deleted']);
      const gone = await open(path);
      expect([gone.status, await gone.text()]).toEqual([404, 'not found']);
      expect(await query('select * from audit_reports')).toEqual([]);
    });

    test('pages of reports are limited by the network of the visitor', async () => {
      await using site = await wireSite({ RATE_LIMIT: 'on' });
      const { path } = await report(post('example.com', site));
      const app = withPages(site);
      const statusOf = async (ip: string) => (await app.fetch(new Request(origin + path), { ip })).status;
      for (let count = 0; count < limits.report.max; count += 1)
        expect(await statusOf('192.0.2.1')).toBe(200);
      expect([await statusOf('192.0.2.1'), await statusOf('192.0.2.2')]).toEqual([429, 200]);
    });

    test('a link ends after 30 days, and its report is erased', async () => {
      const { path } = await report(post('example.com'));
      fixture.now += 30 * 24 * hour - 1;
      await expireReports(fixture.site.domainDeps);
      expect((await open(path)).status).toBe(200);
      fixture.now += 1;
      expect((await open(path)).status).toBe(404);
      await expireReports(fixture.site.domainDeps);
      expect(await query('select * from audit_reports')).toEqual([]);
    });
  });

  test.each([
    ['JSON', json],
    ['a form', form],
  ])('a message as %s carries the id of its report, known or not, and nothing else', async (_, request) => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const id of [unknown, 'x'.repeat(36), ''])
      await fixture.fetch(request({ message: `about ${id}`, [auditReportField]: id }));
    const rows = await query('select audit_report from messages order by message desc');
    expect(rows.map(row => row.audit_report).filter(Boolean)).toEqual([unknown]);
    expect(rows).toHaveLength(3);
  });
});

const pages: AuditPages = {
  getTemplate: async () => ({
    before: '<html>',
    after: '</html>',
    headers: { 'content-security-policy': 'of the page' },
    renderAuditReport: ({ domain }, { path, ageSeconds }) => `<h1>${domain} ${path} ${ageSeconds}</h1>`,
    renderProgress: ({ check }) => `[${check}]`,
    renderNote: ({ type }) => `[${type}]`,
  }),
  getNotFound: async () => ({ html: 'not found', headers: {} }),
};

function withPages({ appDeps, started }: Pick<WiredSite, 'appDeps' | 'started'>) {
  return createSiteApp(appDeps, started.with(audit, { auditPages: pages }));
}
