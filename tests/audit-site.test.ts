import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContent } from '../src/apps/content.ts';
import { systemClock } from '../src/core/clock.ts';
import { auditPaths } from '../src/features/audit/contract.ts';
import { audit, createAuditFeature } from '../src/features/audit/feature.ts';
import { createFakeRunner, fakeReport } from './fakes/audit-runner.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';
import { root, startSite } from './harness/site.ts';

const runner = createFakeRunner(systemClock, (domain, now) => ({
  ...fakeReport(domain, now),
  caps: domain === 'limited.com' ? ['no-trusted-https'] : [],
}));

const site = await disposeAfterAll(startSite({}, { features: [createAuditFeature({ runner })] }));

const post = (domain: string) =>
  fetch(site.origin + auditPaths.page, { method: 'POST', body: new URLSearchParams({ domain }) });

test('the form without JavaScript gets the built page, sent as the audit goes on, with the policy of a page', async () => {
  const release = runner.hold();
  const response = await post('example.com');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let html = '';
  const readUntil = async (text: string) => {
    while (!html.includes(text)) html += decoder.decode((await reader.read()).value, { stream: true });
  };
  await readUntil('<div id="root">');
  expect(html).not.toContain('</html>');
  release();
  await readUntil('</html>');
  expect(html).toContain('example.com');
  expect(html).not.toContain('<b>none</b>');
  const [, path = ''] = /"(\/audit\/report\/[0-9a-f]{32})"/.exec(html) ?? [];

  const page = await fetch(site.origin + path);
  expect(await page.text()).toContain('example.com');
  const sample = await fetch(site.origin + auditPaths.report);
  expect(sample.headers.get('content-security-policy')).toContain("style-src 'self' 'sha256-");
  for (const { headers } of [response, page]) {
    expect(headers.get('content-security-policy')).toBe(sample.headers.get('content-security-policy'));
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('a report says which fault limits its grade, and why', async () => {
  const { content = expect.unreachable() } = readContent(join(root, 'content'));
  const { title, reason } = content.audit.caps['no-trusted-https'] ?? expect.unreachable();
  const [limited, whole] = await Promise.all(
    ['limited.com', 'whole.com'].map(async domain => (await post(domain)).text()),
  );
  expect(limited).toMatch(RegExp(`<strong[^>]*>E at best: ${title}\\.</strong> ${reason}</p>`));
  expect(limited).not.toContain(content.audit.grades.E.text);
  expect(whole).not.toContain('E at best: ');
  expect(whole).toContain(content.audit.grades.E.text);
});

test('a visitor who leaves ends nothing but their own response', async () => {
  const release = runner.hold();
  const leaving = new AbortController();
  const response = await fetch(`${site.origin}/api/audit`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, signal: leaving.signal },
    body: JSON.stringify({ domain: 'left.com' }),
  });
  leaving.abort();
  await expect(response.text()).rejects.toThrow();
  release();
  await expect.poll(() => site.started.get(audit).auditQueue?.counts()).toEqual({ running: 0, waiting: 0 });
  expect(await (await post('left.com')).text()).toContain('left.com');
  expect(runner.started.filter(domain => domain === 'left.com')).toHaveLength(1);
  expect(site.lines.filter(line => line.includes('"level":"error"'))).toEqual([]);
});
