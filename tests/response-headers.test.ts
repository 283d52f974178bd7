import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bouncesPath, contactPath, newsletterPath, stepPaths, tokenPath } from '../src/api/contract.ts';
import { writeHeadersFile } from '../src/build/headers-file.ts';
import { sign } from '../src/deliveries/webhook/standard-webhook.ts';
import { headerSettings } from '../src/server/headers.ts';
import { listen } from '../src/server/serve.ts';
import { type MetricsServer, serveMetrics } from '../src/server/serve-metrics.ts';
import type { FileEntry } from '../src/server/static-files.ts';
import { buildPublicSite } from './harness/public-site.ts';
import { startSite, type TestSite } from './harness/site.ts';
import { matches, readRules } from './harness/static-site.ts';

type Headers = Record<string, string>;

// With all that only a site of a public address has.
const outDir = await buildPublicSite();
const entries: FileEntry[] = JSON.parse(readFileSync(join(outDir, 'files.json'), 'utf8'));

/** What every answer says, whatever it is. Written down a second time on purpose: src/server/headers.ts is held against it. */
const everywhere: Headers = {
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
const api = {
  ...everywhere,
  ...own,
  'cache-control': 'no-store',
};
const shared = {
  ...everywhere,
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=3600',
};

/** What of a page's policy is its own: the digest of the one style sheet in it. */
function pageOf(path: string): Headers {
  const file = entries.find(entry => entry.path === path)?.file ?? '';
  const [, sheet = ''] =
    /<style>(.*?)<\/style>/s.exec(readFileSync(join(outDir, 'site', file), 'utf8')) ?? [];
  return withStyles(page, [sheet]);
}

function withStyles(headers: Headers, sheets: string[]): Headers {
  const digests = sheets.map(sheet => ` 'sha256-${createHash('sha256').update(sheet).digest('base64')}'`);
  const policy = headers['content-security-policy']?.replace(
    "style-src 'self'",
    own => own + digests.join(''),
  );
  return { ...headers, 'content-security-policy': policy ?? '' };
}

/** What else an answer may say; a Server, a cookie are not among it, nor an Access-Control-Allow-Origin but for feeds. */
const besides =
  'allow connection content-encoding content-length content-type date etag keep-alive location retry-after transfer-encoding vary x-request-id'.split(
    ' ',
  );

type Sent = { headers?: Headers; body?: string };
type Row = [name: string, line: string, sent: Sent, status: number, said: Headers, meanwhile?: () => void];

const json = (body: string, headers: Headers = {}): Sent => ({
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
});
const form = (body: string): Sent => ({
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body,
});
const foreign = { 'Sec-Fetch-Site': 'cross-site' };
const large = 'a'.repeat(400_000);
const secret = Buffer.alloc(32, 7);
const signed = (body: string) => json(body, sign([secret], 'msg_1', new Date(), body));

let site: TestSite;
let port: number;
let measuring: MetricsServer;
let tooSlow: Promise<Judged>;
beforeAll(async () => {
  const env = {
    SITE_URL: 'https://www.example.com',
    RATE_LIMIT: 'on',
    METRICS_PORT: '0',
    NEWSLETTER_WEBHOOK_SECRET: `whsec_${secret.toString('base64')}`,
  };
  site = await startSite(env, {}, outDir);
  port = Number(new URL(site.origin).port);
  measuring = (await serveMetrics(site)) as MetricsServer;
  tooSlow = askRaw(port, 'GET / HTTP/1.1\r\nHost: www.');
});
afterAll(async () => {
  await measuring.close();
  await site[Symbol.asyncDispose]();
});

const wait = () => vi.spyOn(site.appDeps.rateLimit, 'secondsToWait').mockResolvedValueOnce(7);
const full = () => new Error('disk full');

const pages: Row[] = [
  ['whole', 'GET /contact', {}, 200, pageOf('/contact')],
  ['with a query', 'GET /contact?a=b', {}, 200, pageOf('/contact')],
  ['in brotli', 'GET /contact', { headers: { 'Accept-Encoding': 'br' } }, 200, pageOf('/contact')],
  ['in gzip', 'GET /contact', { headers: { 'Accept-Encoding': 'gzip' } }, 200, pageOf('/contact')],
  [
    'in part, which nobody gets',
    'GET /contact',
    { headers: { Range: 'bytes=0-9' } },
    200,
    pageOf('/contact'),
  ],
  ['known already', 'GET /contact', { headers: { 'If-None-Match': '*' } }, 304, pageOf('/contact')],
  ['its head', 'HEAD /contact', {}, 200, pageOf('/contact')],
  ['that is not there', 'GET /nowhere', {}, 404, pageOf('/404.html')],
  ['that is not there, its head', 'HEAD /nowhere', {}, 404, pageOf('/404.html')],
  ['that is not there, posted to', 'POST /nowhere', form('a=b'), 404, pageOf('/404.html')],
  ['with a slash too many', 'GET /contact/', {}, 308, page],
  ['in another spelling', 'HEAD /Contact.html?a=b', {}, 308, page],
  ['posted to', 'POST /contact', form('a=b'), 405, page],
  [
    'asked for what it allows',
    'OPTIONS /contact',
    { headers: { Origin: 'https://evil.example' } },
    405,
    page,
  ],
  ['a script that is not there', 'GET /static/js/x.js', {}, 404, pageOf('/404.html')],
  ['an icon, known already', 'GET /icon.svg', { headers: { 'If-None-Match': '*' } }, 304, shared],
  ['an icon, put', 'PUT /icon.svg', {}, 405, page],
];

const health: Row[] = [
  ['alive', 'GET /healthz', {}, 200, api],
  ['alive, by number', 'GET /healthz', { headers: { Host: '10.0.0.7:3000' } }, 200, api],
  ['ready', 'GET /readyz', {}, 200, api],
  ['ready, its head', 'HEAD /readyz', {}, 200, api],
  [
    'not ready',
    'GET /readyz',
    {},
    503,
    api,
    () => vi.spyOn(site.appDeps, 'isReady').mockResolvedValueOnce(false),
  ],
  [
    'broken',
    'GET /readyz',
    {},
    500,
    api,
    () => vi.spyOn(site.appDeps, 'isReady').mockRejectedValueOnce(full()),
  ],
];

const messages: Row[] = [
  ['stored', `POST ${contactPath}`, json('{"message":"Hello"}'), 200, api],
  ['from a form', `POST ${contactPath}`, form('message=Hello'), 303, api],
  ['no JSON', `POST ${contactPath}`, json('{'), 400, api],
  ['from another site', `POST ${contactPath}`, json('{}', foreign), 403, api],
  ['too long', `POST ${contactPath}`, json(large), 413, api],
  ['of another kind', `POST ${contactPath}`, { body: '{}' }, 415, api],
  ['with no address', `POST ${contactPath}`, json('{"email":"nobody"}'), 422, api],
  ['one too many', `POST ${contactPath}`, json('{}'), 429, api, wait],
  [
    'that cannot be stored',
    `POST ${contactPath}`,
    json('{"message":"Hello"}'),
    503,
    api,
    () => vi.spyOn(site.store.messages, 'add').mockRejectedValueOnce(full()),
  ],
];

const newsletter: Row[] = [
  ['asked for', `POST ${newsletterPath}`, json('{"email":"zoe@example.com"}'), 200, api],
  ['asked for by a form', `POST ${newsletterPath}`, form('email=zoe@example.com'), 303, api],
  ['no JSON', `POST ${newsletterPath}`, json('{'), 400, api],
  ['from another site', `POST ${newsletterPath}`, json('{}', foreign), 403, api],
  ['too long', `POST ${newsletterPath}`, json(large), 413, api],
  ['of another kind', `POST ${newsletterPath}`, { body: '{}' }, 415, api],
  ['with no address', `POST ${newsletterPath}`, json('{"email":"nobody"}'), 422, api],
  ['one too many', `POST ${newsletterPath}`, json('{"email":"zoe@example.com"}'), 429, api, wait],
  [
    'that cannot be stored',
    `POST ${newsletterPath}`,
    json('{"email":"zoe@example.com"}'),
    503,
    api,
    () => vi.spyOn(site.store.signUps, 'add').mockRejectedValueOnce(full()),
  ],
  ['confirmed', `POST ${stepPaths.confirm}?token=x`, form(''), 303, api],
  ['confirmed at length', `POST ${stepPaths.confirm}`, form(large), 413, api],
  ['left', `POST ${stepPaths.leave}?id=x&key=y`, form(''), 303, api],
  [
    'left by a mail program',
    `POST ${stepPaths.leave}?id=x&key=y`,
    form('List-Unsubscribe=One-Click'),
    404,
    api,
  ],
  ['bounced', `POST ${bouncesPath}`, signed('{"type":"bounce","address":"zoe@example.com"}'), 204, api],
  ['bounced, says somebody', `POST ${bouncesPath}`, json('{}'), 401, api],
  ['bounced at length', `POST ${bouncesPath}`, json(large), 413, api],
];

const others: Row[] = [
  ['a token', `GET ${tokenPath}`, {}, 200, api],
  ['the head of a token', `HEAD ${tokenPath}`, {}, 200, api],
  ['nothing', 'GET /api/nothing', {}, 404, api],
  ['nothing, from another site', 'POST /api/nothing', json('{}', foreign), 403, api],
];

const reading = ['/healthz', '/readyz', tokenPath];
const buttons = [stepPaths.confirm, stepPaths.leave];
const posting = [contactPath, newsletterPath, bouncesPath];
const refusedMethods: Row[] = [
  ...reading.flatMap(path =>
    refuseMethods(path, ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PURGE']),
  ),
  ...buttons.flatMap(path => refuseMethods(path, ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])),
  ...posting.flatMap(path => refuseMethods(path, ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])),
];

function refuseMethods(path: string, methods: string[]): Row[] {
  return methods.map(method => [`${method} ${path}`, `${method} ${path}`, {}, 405, api]);
}

/** What each file of the build is, by its address. */
const fileKinds: [address: RegExp, said: Headers][] = [
  [/^\/static\/(css|js|svg|woff2)\/[\w-]+-[\w-]{8}\.\w+$/, hashed],
  [/^\/(?!static\/)[\w/-]+\.(svg|png|jpg|ico)$/, shared],
  [/^\/blog\/(rss|atom)\.xml$/, feed],
  [
    /^\/((third-party-notices|robots|llms|\.well-known\/security)\.txt|site\.webmanifest|sitemap\.xml|pages\.speculationrules)$/,
    plain,
  ],
  [/^\/(404\.html|[a-z-]+|newsletter\/[a-z-]+|blog\/[a-z0-9/-]+)?$/, page],
];
const files: Row[] = entries.map(({ path }) => [
  path,
  `GET ${path}`,
  {},
  path === '/404.html' ? 404 : 200,
  headersOfFile(path),
]);

function headersOfFile(path: string): Headers {
  const expected = kindOf(path) ?? {};
  return expected === page ? pageOf(path) : expected;
}

function kindOf(path: string): Headers | undefined {
  return fileKinds.find(([address]) => address.test(path))?.[1];
}

const tables = { pages, health, messages, newsletter, others, refusedMethods, files };

test.each(Object.entries(tables))('has exactly the expected headers: %s', async (_, rows) => {
  for (const [name, line, sent, status, expected, meanwhile] of rows) {
    meanwhile?.();
    expect(await ask(port, line, sent), `${name}: ${line}`).toEqual({ status, headers: expected });
  }
});

/** What no browser sends, and what never becomes a request. */
const host = 'Host: www.example.com\r\n';
const malformed: [name: string, bytes: string, status: number][] = [
  ['two Hosts', `GET / HTTP/1.1\r\n${host}${host}\r\n`, 400],
  ['two lengths', `POST /api/contact HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
  ['for a tunnel', `CONNECT www.example.com:443 HTTP/1.1\r\n${host}\r\n`, 405],
  ['with an expectation', `POST /api/contact HTTP/1.1\r\n${host}Expect: wonders\r\n\r\n`, 417],
  ['for somebody else', 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n', 421],
  ['with too many headers', `GET / HTTP/1.1\r\n${host}${'X: a\r\n'.repeat(120)}\r\n`, 431],
];

describe('has exactly the expected headers: the response to a request', () => {
  test('that is malformed', async () => {
    for (const [name, bytes, status] of malformed) {
      expect(await askRaw(port, bytes), name).toEqual({ status, headers: api });
    }
  });

  test('that causes an internal error', async () => {
    // It is stopped alone: what it shares with the site goes on.
    const shared = {
      worker: { ...site.worker, stop: async () => undefined },
      readiness: { ...site.readiness, leave: () => undefined },
      [Symbol.asyncDispose]: async () => undefined,
    };
    const running = await listen({ ...site, ...shared }, () => () => {
      throw new Error('stumbled');
    });
    const answer = await ask(running.port, 'GET /');
    await running.stop();
    expect(answer).toEqual({ status: 500, headers: api });
  });

  test('that takes too long to arrive', async () => {
    expect(await tooSlow).toEqual({ status: 408, headers: api });
  });
});

test('the metrics port sends only the headers that a scrape needs', async () => {
  const { port: figures, pathname } = new URL(measuring.address);
  const headers = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };
  const near = { headers: { Host: 'localhost' } };
  expect(await ask(Number(figures), `GET ${pathname}`, near)).toEqual({ status: 200, headers });
  expect(await ask(Number(figures), 'GET /', near)).toEqual({ status: 404, headers });
  expect(await ask(Number(figures), `POST ${pathname}`, near)).toEqual({ status: 405, headers });
  expect(await ask(Number(figures), `GET ${pathname}`)).toEqual({ status: 421, headers });
});

describe('these tables are complete:', () => {
  const lines = Object.values(tables).flatMap(rows =>
    rows.map(([, line, , status]) => ({ line: line.replace(/\?.*/, ''), status })),
  );

  test('every API route is in a table, and so is its 405', () => {
    const { routes } = site.app as unknown as { routes: { method: string; path: string }[] };
    const own = routes.filter(({ path }) => !path.endsWith('*'));
    expect(own.length).toBeGreaterThan(15);
    const missing = own.filter(({ method, path }) =>
      method === 'ALL'
        ? !lines.some(({ line, status }) => line.endsWith(` ${path}`) && status === 405)
        : !lines.some(({ line }) => line === `${method} ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test('every file of the build has a known type', () => {
    expect(entries.filter(({ path }) => !kindOf(path))).toEqual([]);
    expect(new Set(entries.map(({ path }) => kindOf(path))).size).toBe(fileKinds.length);
  });
});

describe('the file for static hosts', () => {
  const siteUrl = 'https://www.example.com';
  const htmls = entries
    .filter(({ file }) => file.endsWith('.html'))
    .map(({ file }) => readFileSync(join(outDir, 'site', file), 'utf8'));
  const sheets = htmls.map(html => /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '');
  /** These hosts know one policy for all files: it names the sheets of every page. */
  const everywhereStyled = withStyles(everywhere, [...new Set(sheets)]);

  test.each([
    ['says of every file what the server says', { siteUrl }, everywhereStyled],
    [
      'says of every file the same where there is no server, but for whom it connects to',
      { siteUrl, contactEndpoint: 'https://sheets.example/api/1' },
      withoutServer(everywhereStyled, 'https://sheets.example'),
    ],
  ])('%s', (_, config, common) => {
    const rules = readRules(writeHeadersFile(entries, headerSettings(config)));
    for (const { path } of entries) {
      const found = rules
        .filter(({ pattern }) => matches(pattern, path))
        .flatMap(({ headers }) => headers.map(([name, value]) => [name.toLowerCase(), value] as const));
      expect(new Set(found.map(([name]) => name)).size, path).toBe(found.length);
      expect(Object.fromEntries(found), path).toEqual({ ...common, ...headersOfHost(path) });
    }
  });
});

/** Of this file and not of all, and the types that a host could not know from its name. */
function headersOfHost(path: string): Headers {
  const expected = Object.entries(headersOfFile(path)).filter(([name]) => !(name in everywhere));
  if (path === '/pages.speculationrules')
    expected.push(['content-type', 'application/speculationrules+json']);
  const [, feed] = /^\/blog\/(rss|atom)\.xml$/.exec(path) ?? [];
  if (feed) expected.push(['content-type', `application/${feed}+xml; charset=utf-8`]);
  // It lies where posts do, and has the headers of one as far as they have the same names.
  const [post] = feed ? entries.filter(entry => /^\/blog\/[^/.]+$/.test(entry.path)) : [];
  return { ...Object.fromEntries(expected), ...(post && headersOfHost(post.path)) };
}

function withoutServer(expected: Headers, service: string): Headers {
  const { 'content-security-policy': policy = '', ...rest } = expected;
  return {
    ...rest,
    'content-security-policy': policy.replace("connect-src 'self'", `connect-src 'self' ${service}`),
  };
}

type Heard = { status: number; raw: string[]; body: string };

async function ask(at: number, line: string, { headers = {}, body = '' }: Sent = {}): Promise<Judged> {
  const [method, path] = line.split(' ');
  const all = { Host: 'www.example.com', ...(body && { 'Content-Length': body.length }), ...headers };
  const { promise, resolve, reject } = Promise.withResolvers<Heard>();
  const options = { host: '127.0.0.1', port: at, method, path, headers: all, agent: false };
  const outgoing = request(options, answer => {
    let heard = '';
    answer.setEncoding('latin1').on('data', chunk => {
      heard += chunk;
    });
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, raw: answer.rawHeaders, body: heard }));
  });
  outgoing.on('error', reject).end(body);
  return judge(await promise);
}

/** Sends these bytes and no more, and listens until the server has had enough. */
async function askRaw(at: number, bytes: string): Promise<Judged> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let heard = '';
  const socket = connect(at, '127.0.0.1', () => socket.write(bytes, 'latin1'));
  socket.setEncoding('latin1').on('data', chunk => {
    heard += chunk;
  });
  socket.on('error', reject).on('close', () => resolve(heard));
  const [head = '', body = ''] = (await promise).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  return judge({ status, raw: lines.flatMap(line => line.split(/: (.*)/).slice(0, 2)), body });
}

type Judged = { status: number; headers: Headers };

/** The headers that the tables cover, with any unexpected ones. */
function judge({ status, raw, body }: Heard): Judged {
  const names = raw.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase());
  const headers = names.map((name, index) => [name, raw[2 * index + 1] ?? ''] as const);
  expect(new Set(names).size, names.join()).toBe(names.length);
  if (body) expect(names).toContain('content-type');
  return { status, headers: Object.fromEntries(headers.filter(([name]) => !besides.includes(name))) };
}
