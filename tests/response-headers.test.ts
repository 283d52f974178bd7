import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { listen } from '../src/apps/server/serve.ts';
import { type MetricsServer, serveMetrics } from '../src/apps/server/serve-metrics.ts';
import type { FileEntry } from '../src/core/http/static-files.ts';
import { auditApiPath, auditPaths } from '../src/features/audit/contract.ts';
import { contactPath, tokenPath } from '../src/features/messages/contract.ts';
import { sign } from '../src/features/messages/receivers/webhook-receiver.ts';
import { bouncesPath, newsletterPaths, signUpPath } from '../src/features/newsletter/contract.ts';
import { sendRaw } from './harness/raw-http.ts';
import { builtSite, startSite } from './harness/site.ts';

type Headers = Record<string, string>;

// With all that only a site of a public address has.
const entries: FileEntry[] = JSON.parse(readFileSync(join(builtSite, 'files.json'), 'utf8'));

/** What every answer says, whatever it is. Written down a second time on purpose: src/core/http/headers.ts is held against it. */
const everywhere = {
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
  'strict-transport-security': 'max-age=63072000',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const own = { 'cross-origin-resource-policy': 'same-origin' };
const page = {
  ...everywhere,
  ...own,
  'speculation-rules': '"/pages.speculationrules"',
  'cache-control': 'no-cache',
};
const feed = {
  ...everywhere,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=3600',
};
const hashed = { ...everywhere, ...own, 'cache-control': 'public, max-age=31536000, immutable' };
const plain = { ...everywhere, ...own, 'cache-control': 'public, max-age=3600' };
const api = { ...everywhere, ...own, 'cache-control': 'no-store' };
const shared = {
  ...everywhere,
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=3600',
};

/** What of a page's policy is its own: the digest of the one style sheet in it. */
function pageOf(path: string): Headers {
  const file = entries.find(entry => entry.path === path)?.file ?? '';
  const html = readFileSync(join(builtSite, 'site', file), 'utf8');
  const source = `'self' 'sha256-${digestStyle(html)}'`;
  const policy = page['content-security-policy'].replace("style-src 'self'", `style-src ${source}`);
  return { ...page, 'content-security-policy': policy };
}

function digestStyle(html: string): string {
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  return createHash('sha256').update(style).digest('base64');
}

/** What else a response may have; a Server, a cookie are not among it. */
const besides =
  /^(allow|connection|content-(encoding|length|type)|date|etag|keep-alive|location|retry-after|transfer-encoding|vary|x-request-id)$/;

type Sent = { headers?: Headers; body?: string; meanwhile?: () => void };
type Row = [line: string, status: number, sent?: Sent];

const json = (body: string, headers: Headers = {}): Sent => ({
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
});
const form = (body: string): Sent => ({
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body,
});
const foreign = { 'Sec-Fetch-Site': 'cross-site' };
const subscriber = '{"email":"zoe@example.com"}';
const large = 'a'.repeat(400_000);
const secret = Buffer.alloc(32, 7);
const signed = (body: string) => json(body, sign([secret], 'msg_1', new Date(), body));

const env = {
  SITE_URL: 'https://www.example.com',
  RATE_LIMIT: 'on',
  METRICS_PORT: '0',
  NEWSLETTER_WEBHOOK_SECRET: `whsec_${secret.toString('base64')}`,
};
const site = await startSite(env);
const port = Number(new URL(site.origin).port);
const measuring = (await serveMetrics(site)) as MetricsServer;
afterAll(async () => {
  await measuring.close();
  await site[Symbol.asyncDispose]();
});

const full = new Error('disk full');
const limited = () => vi.spyOn(site.core.rateLimit, 'consume').mockResolvedValueOnce(7);
const notReady = () => vi.spyOn(site.appDeps, 'isReady').mockResolvedValueOnce(false);
const broken = () => vi.spyOn(site.appDeps, 'isReady').mockRejectedValueOnce(full);
const noMessage = () => vi.spyOn(site.store.messages, 'add').mockRejectedValueOnce(full);
const noSignUp = () => vi.spyOn(site.store.signUps, 'add').mockRejectedValueOnce(full);

/** What both forms' endpoints reject. */
const rejected = (path: string): Row[] => [
  [`POST ${path}`, 400, json('{')],
  [`POST ${path}`, 403, json('{}', foreign)],
  [`POST ${path}`, 413, json(large)],
  [`POST ${path}`, 415, { body: '{}' }],
  [`POST ${path}`, 422, json('{"email":"nobody"}')],
  [`POST ${path}`, 429, { ...json(subscriber), meanwhile: limited }],
];

const reportPath = `${auditPaths.report}/:token`;

/** The page of a link that is unknown, which no cache and no search engine may keep. */
const reportRows: Row[] = [[`GET ${reportPath}`, 404]];
const reportHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' };

const apiRows: Row[] = [
  ['GET /healthz', 200],
  ['GET /readyz', 200],
  ['GET /readyz', 503, { meanwhile: notReady }],
  ['GET /readyz', 500, { meanwhile: broken }],
  [`POST ${contactPath}`, 200, json('{"message":"Hello"}')],
  [`POST ${contactPath}`, 303, form('message=Hello')],
  [`POST ${contactPath}`, 503, { ...json('{"message":"Hello"}'), meanwhile: noMessage }],
  ...rejected(contactPath),
  [`POST ${signUpPath}`, 200, json(subscriber)],
  [`POST ${signUpPath}`, 303, form('email=zoe@example.com')],
  [`POST ${signUpPath}`, 503, { ...json(subscriber), meanwhile: noSignUp }],
  ...rejected(signUpPath),
  [`POST ${newsletterPaths.confirm}?token=x`, 303, form('')],
  [`POST ${newsletterPaths.confirm}`, 413, form(large)],
  [`POST ${newsletterPaths.unsubscribe}?id=x&key=y`, 303, form('')],
  [`POST ${newsletterPaths.unsubscribe}?id=x&key=y`, 404, form('List-Unsubscribe=One-Click')],
  [`POST ${bouncesPath}`, 204, signed('{"type":"bounce","address":"zoe@example.com"}')],
  [`POST ${bouncesPath}`, 401, json('{}')],
  [`POST ${bouncesPath}`, 413, json(large)],
  [`POST ${auditApiPath}`, 400, json('{"domain":"localhost"}')],
  [`POST ${auditApiPath}`, 403, json('{}', foreign)],
  [`POST ${auditApiPath}`, 413, json(large)],
  [`POST ${auditApiPath}`, 429, { ...json('{"domain":"example.org"}'), meanwhile: limited }],
  [`POST ${auditPaths.page}`, 303, form('domain=localhost')],
  [`GET ${reportPath}`, 429, { meanwhile: limited }],
  [`POST ${reportPath}`, 303, form('action=delete')],
  [`POST ${reportPath}`, 400, form('')],
  [`GET ${tokenPath}`, 200],
  ['GET /api/nothing', 404],
  ['POST /api/nothing', 403, json('{}', foreign)],
  ...[
    ...['/healthz', '/readyz', tokenPath, newsletterPaths.confirm, newsletterPaths.unsubscribe],
    ...[contactPath, signUpPath, bouncesPath, auditApiPath, auditPaths.page, reportPath],
  ].flatMap((path): Row[] => [
    [`PUT ${path}`, 405],
    [`OPTIONS ${path}`, 405],
  ]),
];

/** What each file of the build is, by its address. */
const fileKinds: [address: RegExp, expected: Headers][] = [
  [/^\/static\/(css|js|svg|woff2)\/[\w-]+-[\w-]{8}\.\w+$/, hashed],
  [/^\/(?!static\/)[\w/-]+\.(svg|png|jpg|ico)$/, shared],
  [/^\/blog\/(rss|atom)\.xml$/, feed],
  [
    /^\/((third-party-notices|robots|llms|\.well-known\/security)\.txt|site\.webmanifest|sitemap\.xml|pages\.speculationrules)$/,
    plain,
  ],
  [/^\/(404\.html|[a-z-]+|(newsletter|audit)\/[a-z-]+|blog\/[a-z0-9/-]+)?$/, page],
];
const kindOf = (path: string) => fileKinds.find(([address]) => address.test(path))?.[1];

async function expectHeaders(expected: Headers, rows: Row[]): Promise<void> {
  for (const [line, status, sent = {}] of rows) {
    sent.meanwhile?.();
    expect(await ask(port, line, sent), `${line} ${sent.body?.slice(0, 99)}`).toEqual({
      status,
      headers: expected,
    });
  }
}

test('every response of the API has exactly the expected headers, and every route is among them', async () => {
  await expectHeaders(api, apiRows);
  await expectHeaders({ ...pageOf('/404.html'), ...reportHeaders }, reportRows);
  const lines = [...apiRows, ...reportRows].map(([line, status]) => ({
    line: line.replace(/\?.*/, ''),
    status,
  }));
  const { routes } = site.app as unknown as { routes: { method: string; path: string }[] };
  const ofApi = routes.filter(({ path }) => !path.endsWith('*'));
  expect(ofApi.length).toBeGreaterThan(15);
  const missing = ofApi.filter(({ method, path }) =>
    method === 'ALL'
      ? !lines.some(({ line, status }) => line.endsWith(` ${path}`) && status === 405)
      : !lines.some(({ line }) => line === `${method} ${path}`),
  );
  expect(missing).toEqual([]);
});

test('every file of the build has exactly the headers of its kind', async () => {
  expect(entries.filter(({ path }) => !kindOf(path))).toEqual([]);
  expect(new Set(entries.map(({ path }) => kindOf(path))).size).toBe(fileKinds.length);
  for (const { path } of entries) {
    const expected = kindOf(path) === page ? pageOf(path) : (kindOf(path) ?? {});
    await expectHeaders(expected, [[`GET ${path}`, path === '/404.html' ? 404 : 200]]);
  }
});

test('a page has its headers in every encoding, as 304, 308, 404 and 405', async () => {
  await expectHeaders(pageOf('/contact'), [
    ['GET /contact', 200, { headers: { 'Accept-Encoding': 'br' } }],
    ['GET /contact', 200, { headers: { Range: 'bytes=0-9' } }],
    ['GET /contact', 304, { headers: { 'If-None-Match': '*' } }],
    ['HEAD /contact', 200],
  ]);
  await expectHeaders(pageOf('/404.html'), [
    ['GET /nowhere', 404],
    ['POST /nowhere', 404, form('a=b')],
    ['GET /static/js/x.js', 404],
  ]);
  await expectHeaders(page, [
    ['GET /contact/', 308],
    ['POST /contact', 405, form('a=b')],
    ['OPTIONS /contact', 405, { headers: { Origin: 'https://evil.example' } }],
  ]);
  await expectHeaders(shared, [['GET /icon.svg', 304, { headers: { 'If-None-Match': '*' } }]]);
});

const host = 'Host: www.example.com\r\n';
test.each([
  ['two Hosts', `GET / HTTP/1.1\r\n${host}${host}\r\n`, 400],
  ['two lengths', `POST /api/contact HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
  ['a tunnel', `CONNECT www.example.com:443 HTTP/1.1\r\n${host}\r\n`, 405],
  ['an expectation', `POST /api/contact HTTP/1.1\r\n${host}Expect: wonders\r\n\r\n`, 417],
  ['another Host', 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n', 421],
  ['too many headers', `GET / HTTP/1.1\r\n${host}${'X: a\r\n'.repeat(120)}\r\n`, 431],
])('a malformed request has exactly the headers of the API: %s', async (_, bytes, status) => {
  expect(await askRaw(port, bytes)).toEqual({ status, headers: api });
});

test('a wrong Host is explained to a person, and to a program, under the same headers', async () => {
  const asked = 'GET / HTTP/1.1\r\nHost: 192.0.2.7:3000\r\n';
  const { text: page } = await sendRaw(port, `${asked}Accept: text/html,*/*\r\n\r\n`, 1);
  expect(page).toMatch(/^HTTP\/1.1 421 .*\r\nContent-Type: text\/html; charset=utf-8\r\n/s);
  for (const part of ['the host &#39;192.0.2.7:3000&#39;', '<a href="https://www.example.com">', 'SITE_URL'])
    expect(page).toContain(part);
  const source = `'self' 'sha256-${digestStyle(page)}'`;
  const policy = api['content-security-policy'].replace("style-src 'self'", `style-src ${source}`);
  expect(page).toContain(`\r\nContent-Security-Policy: ${policy}\r\n`);
  const { text: problem } = await sendRaw(port, `${asked}\r\n`, 1);
  expect(JSON.parse(problem.split('\r\n\r\n')[1] ?? '')).toEqual({
    ...{ type: 'about:blank', title: 'Misdirected Request', status: 421 },
    reason:
      "the request names the host '192.0.2.7:3000', and this server answers for 'www.example.com', its SITE_URL",
  });
});

test('so has a request that causes an internal error', async () => {
  // It is stopped alone: what it shares with the site goes on.
  const others = {
    worker: { ...site.worker, stop: async () => undefined },
    readiness: { ...site.readiness, leave: () => undefined },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const running = await listen({ ...site, ...others }, () => () => {
    throw new Error('stumbled');
  });
  const answer = await ask(running.port, 'GET /');
  await running.stop();
  expect(answer).toEqual({ status: 500, headers: api });
});

test('the metrics port sends only the headers that a scrape needs', async () => {
  const { port: metrics, pathname } = new URL(measuring.url);
  const headers = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };
  const near = { headers: { Host: 'localhost' } };
  expect(await ask(Number(metrics), `GET ${pathname}`, near)).toEqual({ status: 200, headers });
  expect(await ask(Number(metrics), 'GET /', near)).toEqual({ status: 404, headers });
  expect(await ask(Number(metrics), `POST ${pathname}`, near)).toEqual({ status: 405, headers });
  expect(await ask(Number(metrics), `GET ${pathname}`)).toEqual({ status: 421, headers });
});

type Judged = { status: number; headers: Headers };

function ask(at: number, line: string, { headers = {}, body = '' }: Sent = {}): Promise<Judged> {
  const all = { Host: 'www.example.com', 'Content-Length': `${body.length}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return askRaw(at, `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** The headers of the response that these tests compare, with any unexpected ones. */
async function askRaw(at: number, bytes: string): Promise<Judged> {
  // The first sign-up reads the content, which takes a busy machine seconds.
  const { text, statuses } = await sendRaw(at, bytes, 1, 7000);
  const [head = '', body] = text.split('\r\n\r\n');
  const headers = readHeaders(head.split('\r\n').slice(1));
  // A chunked response without a body is '0'.
  if (body && body !== '0') expect(headers).toHaveProperty('content-type');
  const compared = Object.entries(headers).filter(([name]) => !besides.test(name));
  return { status: statuses[0] ?? 0, headers: Object.fromEntries(compared) };
}

function readHeaders(lines: string[]): Headers {
  const names = lines.map(line => line.split(': ')[0]?.toLowerCase());
  expect(new Set(names).size, names.join()).toBe(names.length);
  return Object.fromEntries(lines.map((line, index) => [names[index], line.replace(/^[^:]*: /, '')]));
}
