import { expect, test } from 'vitest';
import { collectLog } from '../../tests/harness/site.ts';
import { createReports } from './reports.ts';

let now = Date.parse('2026-11-15T09:00:00Z');
const { log, lines } = collectLog();
const take = createReports({ log, clock: { now: () => new Date(now) } });

async function report(body: unknown, type = 'application/reports+json'): Promise<number> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const request = new Request('http://localhost/api/reports', {
    method: 'POST',
    headers: { 'content-type': type },
    body: text,
  });
  return (await take(request, { requestId: 'r' })).status;
}

const logged = () => lines.splice(0).map(line => JSON.parse(line));

test('a report is logged by rule and page, in both ways of telling, and with nothing else', async () => {
  const url = 'https://www.example.com/contact?email=ann@example.com#x';
  const blockedURL = 'https://evil.example/?who=ann';
  const body = { effectiveDirective: 'script-src-elem', blockedURL, sample: 'ann@example.com' };
  expect(await report([{ type: 'csp-violation', url, user_agent: 'Browser 1', body }])).toBe(204);
  const old = { 'document-uri': url, 'violated-directive': 'img-src', 'blocked-uri': 'inline' };
  expect(await report({ 'csp-report': old }, 'application/csp-report')).toBe(204);
  const told = logged();
  expect(told).toMatchObject([
    { level: 'warn', event: 'browser report', kind: 'csp-violation', rule: 'script-src-elem' },
    { kind: 'csp-violation', rule: 'img-src', blocked: 'inline', page: '/contact' },
  ]);
  expect(told[0].blocked).toBe('https://evil.example');
  expect(JSON.stringify(told)).not.toMatch(/ann|Browser|who/);
});

test.each([
  ['text/plain', '[]', 415],
  ['application/reports+json', '{', 400],
  ['application/reports+json', '[1, null]', 400],
  ['application/reports+json', `["${'x'.repeat(40_000)}"]`, 413],
])('%s with %.12s is answered with %3$i', async (type, body, status) => {
  expect(await report(body, type)).toBe(status);
  expect(logged()).toEqual([]);
});

test.each(['%40', '%2540', '%25%34%30', '\uff20'])('no address is logged, written with %s', async at => {
  const address = `zoe${at}example.com`;
  const urls = [`https://www.example.com/${address}?to=${address}`, `https://www.example.com/?to=${address}`];
  for (const blockedURL of [`app://${address}/x`, `https://evil.example/${address}?to=${address}`]) {
    for (const url of urls)
      expect(await report([{ type: 'csp-violation', url, body: { blockedURL } }])).toBe(204);
  }
  const told = logged();
  expect(told).toHaveLength(4);
  expect(JSON.stringify(told)).not.toMatch(/zoe/);
});

test('what makes no sense, or could forge a line, is left out of it', async () => {
  const body = { effectiveDirective: 'x\n{"level":"error"}', blockedURL: 'not an address' };
  expect(await report([{ type: ['a'], url: 'javascript:alert(1)', body }, { __proto__: 1 }])).toBe(204);
  expect(logged()).toMatchObject([{ kind: '', rule: '', blocked: '' }, { page: '' }]);
});

test.each([
  '[{"url":{"toString":1,"valueOf":1}}]',
  `{"url":${'['.repeat(15_000)}${']'.repeat(15_000)}}`,
  `{"csp-report":{"document-uri":${'['.repeat(15_000)}${']'.repeat(15_000)}}}`,
  '{"url":"Set-Cookie: x=1"}',
  '{"url":"data:text/html,<script>"}',
])('what is no address of a page stands for none: %.40s', async body => {
  expect(await report(body)).toBe(204);
  expect(logged()).toMatchObject([{ page: '' }]);
});

test('a flood is sampled, and told in one line', async () => {
  now += 60_000;
  const many = Array.from({ length: 25 }, () => ({
    type: 'csp-violation',
    url: 'https://a.example/',
    body: {},
  }));
  for (let call = 0; call < 10; call++) expect(await report(many)).toBe(204);
  expect(logged()).toHaveLength(30);
  now += 60_000;
  await report([many[0]]);
  expect(logged()).toMatchObject([
    { event: 'browser reports left out', count: 70 },
    { event: 'browser report' },
  ]);
});
