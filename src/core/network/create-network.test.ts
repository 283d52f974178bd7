import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import type { Zone } from '../../../tests/fakes/dns-server.ts';
import { createFakeInternet, fakeIps } from '../../../tests/fakes/internet.ts';
import { disposeAfterAll } from '../../../tests/harness/dispose-after-all.ts';
import { createAuditNetwork } from './create-network.ts';
import { parseDnsServer } from './dns-transport.ts';
import type { NetworkLimits } from './limits.ts';

const { web } = fakeIps;
const internal = '10.0.0.5';
const zone: Zone = {
  'good.example': { A: [web], TXT: ['x'.repeat(3000)] },
  'shop.good.example': { A: [web] },
  'third-party.com': { A: [web] },
  'rebinding.example': { A: [web] },
  'second-address.example': { A: [web, internal] },
  'mapped.example': { A: [web], AAAA: [`::ffff:${web}`] },
  'metadata.example': { A: ['169.254.169.254'] },
  'opted-out.example': { A: [web] },
  'alias-of-opted-out.example': { CNAME: ['opted-out.example'] },
  'alias.example': { CNAME: ['metadata.example'] },
};

/** By path: what a hostile server answers. */
const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/': (request, response) => response.end(`Host ${request.headers.host}, ${request.headers['user-agent']}`),
  '/endless': (_, response) => void Readable.from(repeat('<p>')).pipe(response),
  '/stalls': (_, response) => void response.writeHead(200, { 'x-known': 'yes' }).write('start'),
  '/silent': () => undefined,
  '/breaks': (_, response) => void response.socket?.destroy(),
  '/bomb': (_, response) => response.setHeader('content-encoding', 'gzip').end(bomb),
  '/not-gzip': (_, response) => response.setHeader('content-encoding', 'gzip').end('plain'),
  '/headers': (_, response) => response.setHeader('x-long', 'x'.repeat(40_000)).end(),
  '/interim': ({ socket }) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1000)),
  '/chunks': (_, response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' }).flushHeaders();
    flood(response.socket, `1;${'x'.repeat(15_000)}\r\na\r\n`);
  },
  '/garbage': (_, response) => void response.socket?.end('\0\0 not HTTP \r\n\r\n'),
};
const bomb = gzipSync(Buffer.alloc(30_000_000));

const internet = await disposeAfterAll(
  createFakeInternet({
    zone,
    onRequest(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const to = searchParams.get('to');
      response.on('error', () => undefined);
      if (to !== null) response.writeHead(302, { location: to }).end();
      else if (/^\/\d+$/.test(pathname)) response.writeHead(302, { location: nextPath(pathname) }).end();
      else pages[pathname]?.(request, response);
    },
  }),
);
beforeEach(() => void internet.connections.splice(0));

function createNetwork(
  limits: Partial<NetworkLimits> = {},
  signal = new AbortController().signal,
  policy = internet.policy,
) {
  return createAuditNetwork({
    userAgent: 'Audit/1.0 (+https://example.com/audit/about)',
    ehloName: 'localhost',
    signal,
    dnsServers: [parseDnsServer(internet.dnsAddress)],
    policy: { ...policy, isAllowedHost: host => host !== 'opted-out.example' },
    limits: { connectionGapMs: 0, ...limits },
  });
}

test('connects to the resolved address with the name as Host and SNI, and says who asks', async () => {
  const { body, ip, tls } = await createNetwork().fetch('https://good.example/');
  expect(body).toBe('Host good.example, Audit/1.0 (+https://example.com/audit/about)');
  expect({ ip, problem: tls?.problem }).toEqual({ ip: web, problem: undefined });
  expect(internet.connections).toEqual([`${web}:443`]);
});

test('a name that changes its address during the audit is not resolved again', async () => {
  const network = createNetwork();
  await network.fetch('https://rebinding.example/');
  zone['rebinding.example'] = { A: [internal] };
  await network.fetch('https://rebinding.example/endless');
  await network.handshake({ host: 'rebinding.example' });
  expect(new Set(internet.connections)).toEqual(new Set([`${web}:443`]));
  await expect(createNetwork().fetch('https://rebinding.example/')).rejects.toThrow(/not public/);
});

test.each([
  'https://second-address.example/',
  'https://mapped.example/',
  'https://metadata.example/',
  'https://alias.example/',
  'https://opted-out.example/',
  'https://alias-of-opted-out.example/',
  'https://opted-out.example./',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://2130706433/',
  'http://localhost/',
  'http://router/',
  'https://good.example:8443/',
  'http://good.example:25/',
  'ftp://good.example/',
  'file:///etc/passwd',
  'data:text/html,x',
])('refuses %s, asked for and as the target of a redirect', async url => {
  const network = createNetwork();
  await expect(network.fetch(url)).rejects.toMatchObject({ kind: 'blocked' });
  expect(internet.connections).toEqual([]);
  const redirect = `https://good.example/?to=${encodeURIComponent(url)}`;
  await expect(network.fetchFollowing(redirect)).rejects.toMatchObject({ kind: 'blocked' });
  expect(internet.connections).toEqual([`${web}:443`]);
  const host = URL.parse(url)?.hostname ?? '';
  if (/example$/.test(host) && host !== 'good.example') {
    await expect(network.handshake({ host })).rejects.toMatchObject({ kind: 'blocked' });
    await expect(network.smtpHello(host)).rejects.toMatchObject({ kind: 'blocked' });
    expect(internet.connections).toHaveLength(1);
  }
});

test('tells no check an address that is not public', async () => {
  const { records } = await createNetwork().dns.query('second-address.example', 'A');
  expect(records.map(({ text, data }) => [text, data])).toEqual([
    [web, web],
    ['not public', 'not public'],
  ]);
});

test('follows three redirects and no fourth', async () => {
  const { page, hops } = await createNetwork().fetchFollowing('https://good.example/3');
  expect({ status: page.status, hops: hops.length }).toEqual({ status: 200, hops: 3 });
  await expect(createNetwork().fetchFollowing('https://good.example/4')).rejects.toThrow(
    'more than 3 redirects',
  );
});

test.each([
  ['https://third-party.com/?id=4711', 'https://third-party.com/?…'],
  [`https://third-party.com/${'x'.repeat(257)}`, 'https://third-party.com/xx'],
])('follows no redirect that carries text to another domain: %s', async (to, shown) => {
  const from = `https://good.example/?to=${encodeURIComponent(to)}`;
  const error = await createNetwork().fetchFollowing(from).catch(String);
  expect(error).toContain(`leads to ${shown}`);
  expect(error).toContain('not followed');
  expect(internet.connections).toHaveLength(1);
});

test.each(['https://shop.good.example/?id=4711', 'https://third-party.com/'])(
  'follows a redirect within the domain, or to a plain address: %s',
  async to => {
    const { page } = await createNetwork().fetchFollowing(
      `https://good.example/?to=${encodeURIComponent(to)}`,
    );
    expect(page.url).toBe(to);
  },
);

test.each([
  ['/endless', { isTruncated: true, length: 100_000 }],
  ['/bomb', { isTruncated: true, length: 100_000 }],
  ['/stalls', { isTruncated: true, length: 5 }],
  ['/not-gzip', { isTruncated: true, length: 0 }],
])('keeps what fits of %s', async (path, { isTruncated, length }) => {
  const page = await createNetwork({ bodyBytes: 100_000, fetchMs: 400 }).fetch(`https://good.example${path}`);
  expect({ isTruncated: page.isTruncated, length: page.body.length }).toEqual({ isTruncated, length });
});

test('reads no more than twice the limit of what is no part of a body', async () => {
  const sockets: Socket[] = [];
  const policy = {
    ...internet.policy,
    connect(options: { host: string; port: number }) {
      const socket = internet.policy.connect(options);
      sockets.push(socket);
      return socket;
    },
  };
  const limits = { bodyBytes: 200_000 };
  const page = await createNetwork(limits, undefined, policy).fetch('http://good.example/chunks');
  expect(page).toMatchObject({ status: 200, isTruncated: true });
  expect(sockets[0]?.bytesRead).toBeLessThan(600_000);
});

test('unpacks no more of a compressed body than the limit', async () => {
  const before = process.memoryUsage();
  const page = await createNetwork().fetch('https://good.example/bomb');
  const { heapUsed, external } = process.memoryUsage();
  expect(page.body).toHaveLength(512 * 1024);
  expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan(15_000_000);
});

test.each([
  ['/silent', 'timeout'],
  ['/breaks', 'refused'],
  ['/headers', 'refused'],
  ['/garbage', 'refused'],
  ['/interim', 'refused'],
])('gives up on %s: %s', async (path, kind) => {
  const network = createNetwork({ fetchMs: 400, bodyBytes: 50_000 });
  await expect(network.fetch(`https://good.example${path}`)).rejects.toMatchObject({ kind });
});

test('counts connections and DNS queries, and asks the same only once', async () => {
  const network = createNetwork({ connections: 2, dnsQueries: 4 });
  await Promise.all([1, 2, 3].map(() => network.fetch('https://good.example/')));
  await network.handshake({ host: 'good.example' });
  await expect(network.fetch('https://good.example/other')).rejects.toThrow('more than 2 connections');
  expect(internet.connections).toHaveLength(2);
  // The long answer is asked for by UDP and again by TCP.
  expect((await network.dns.query('good.example', 'TXT')).records[0]?.text).toHaveLength(3044);
  await expect(network.dns.query('good.example', 'MX')).rejects.toThrow('more than 4 DNS queries');
});

test('opens its connections one after the other, not all at once', async () => {
  const network = createNetwork({ connectionGapMs: 100 });
  const started = performance.now();
  await Promise.all([1, 2, 3].map(at => network.fetch(`https://good.example/?${at}`)));
  expect(performance.now() - started).toBeGreaterThan(195);
});

test('the end of the audit closes every connection', async () => {
  const ending = new AbortController();
  const network = createNetwork({}, ending.signal);
  const waiting = network.fetch('https://good.example/silent');
  await network.fetch('https://good.example/');
  ending.abort();
  await expect(waiting).rejects.toMatchObject({ kind: 'timeout' });
  await expect(network.fetch('https://good.example/later')).rejects.toMatchObject({ kind: 'limit' });
});

function nextPath(path: string): string {
  const left = Number(path.slice(1)) - 1;
  return left === 0 ? '/' : `/${left}`;
}

/** Until the other side ends it. */
function flood(socket: Socket | null, text: string): void {
  socket?.once('drain', () => flood(socket, text));
  while (socket?.writable && socket.write(text));
}

function* repeat(text: string): Generator<string> {
  for (;;) yield text.repeat(1000);
}
