import { request } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactPath, stepPaths, tokenPath } from '../src/api/contract.ts';
import { randomIds } from '../src/lib/ids.ts';
import { paths } from '../src/site/paths.ts';
import { readSecurityTxt } from './harness/security-txt.ts';
import { startSite, type TestSite } from './harness/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site[Symbol.asyncDispose]());

type Raw = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

/** A request as it is: fetch would decode, follow redirects and add headers of its own. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${site.origin}${path}`, { method, headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.on('error', reject).end();
  });
}

async function scriptPath(): Promise<string> {
  return /\/static\/js\/boot-[\w-]+\.js/.exec((await ask('/')).body.toString())?.[0] ?? '';
}

describe('a page', () => {
  test.each(Object.values(paths))('%s is HTML that must be revalidated', async path => {
    const { status, headers } = await ask(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers.etag).toMatch(/^"[\w-]+"$/);
  });

  test('is found with any query', async () => {
    expect((await ask('/contact?utm_source=x')).status).toBe(200);
  });

  test.each([
    ['/contact/', '/contact'],
    ['/Contact', '/contact'],
    ['/CONTACT/?a=1&b=%20', '/contact?a=1&b=%20'],
    ['/contact.html', '/contact'],
    ['/index.html', '/'],
    ['//contact', '/contact'],
    ['/%63ontact', '/contact'],
  ])('%s moves for good to %s', async (from, to) => {
    const { status, headers } = await ask(from);
    expect(status).toBe(308);
    expect(headers.location).toBe(to);
  });

  test.each([
    '//example.com',
    '//example.com/contact',
    '/contact/x',
    '/%',
    '/..%2f..%2fetc/passwd',
    '/404.html',
    '/files.json',
  ])('%s is not found, and leads nowhere', async path => {
    const { status, headers, body } = await ask(path);
    expect(status).toBe(404);
    expect(headers.location).toBeUndefined();
    expect(body.toString()).toContain('404');
  });
});

test('security.txt is valid by RFC 9116, and expires within a year', async () => {
  const { status, headers, body } = await ask('/.well-known/security.txt');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const { Expires: [expires = ''] = [], ...others } = readSecurityTxt(body.toString());
  const days = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(days).toBeLessThan(365);
  expect(days).toBeGreaterThan(0);
  // The build of the tests has no public address.
  expect(Object.keys(others)).toEqual(['Contact', 'Preferred-Languages']);
});

describe('a page with a form of its own', () => {
  test.each([
    [stepPaths.confirm, stepPaths.expired],
    [stepPaths.leave, stepPaths['not-left']],
  ])('%s is a file to read, and posts to the API', async (path, next) => {
    const query = `?token=${randomIds.token()}`;
    const opened = await ask(path + query);
    expect([opened.status, opened.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const pressed = await ask(path + query, { 'content-type': 'application/x-www-form-urlencoded' }, 'POST');
    expect([pressed.status, pressed.headers.location]).toEqual([303, next]);
    expect(pressed.headers['cache-control']).toBe('no-store');
    expect((await ask(path + query, {}, 'PUT')).status).toBe(405);
    expect((await ask(`${path}/${query}`, {}, 'POST')).status).toBe(405);
    expect(site.lines.join('')).not.toContain(query.slice(-20));
  });

  test('is the only kind that accepts POST', async () => {
    for (const path of [stepPaths.asked, stepPaths.confirmed, stepPaths.left]) {
      expect((await ask(path, {}, 'POST')).status).toBe(405);
    }
  });
});

describe('encodings', () => {
  const decode = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };

  test.each(Object.entries(decode))(
    '%s is the same page, smaller, with its own ETag',
    async (name, decoded) => {
      const plain = await ask('/faq');
      const encoded = await ask('/faq', { 'accept-encoding': name });
      expect(encoded.headers['content-encoding']).toBe(name);
      expect(encoded.body.length).toBeLessThan(plain.body.length / 3);
      expect(decoded(encoded.body)).toEqual(plain.body);
      expect(encoded.headers.etag).not.toBe(plain.headers.etag);
      expect(encoded.headers['content-length']).toBe(String(encoded.body.length));
    },
  );

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, *', 'zstd'],
    ['identity', undefined],
    ['', undefined],
  ])("'%s' gets %s", async (accepted, given) => {
    expect((await ask('/', { 'accept-encoding': accepted })).headers['content-encoding']).toBe(given);
  });

  test('a font is not compressed twice', async () => {
    const font = /\/static\/woff2\/[\w.-]+/.exec((await ask('/')).body.toString())?.[0] ?? '';
    const { status, headers } = await ask(font, { 'accept-encoding': 'br' });
    expect([status, headers['content-encoding'], headers['content-type']]).toEqual([
      200,
      undefined,
      'font/woff2',
    ]);
  });
});

describe('conditional requests', () => {
  test('a matching ETag gets 304 with the ETag and no body', async () => {
    const { headers } = await ask('/privacy', { 'accept-encoding': 'br' });
    const again = await ask('/privacy', {
      'accept-encoding': 'br',
      'if-none-match': `"other", W/${headers.etag}`,
    });
    expect(again.status).toBe(304);
    expect(again.headers.etag).toBe(headers.etag);
    expect(again.headers.vary).toBe('Accept-Encoding');
    expect(again.headers['content-length']).toBeUndefined();
  });

  test('the ETag of another encoding gets the page', async () => {
    const { headers } = await ask('/privacy', { 'accept-encoding': 'gzip' });
    expect(
      (await ask('/privacy', { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) })).status,
    ).toBe(200);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const get = await ask('/terms-and-condition', { 'accept-encoding': 'br' });
    const head = await ask('/terms-and-condition', { 'accept-encoding': 'br' }, 'HEAD');
    const { date: _get, ...expected } = get.headers;
    const { date: _head, ...found } = head.headers;
    expect(found).toEqual(expected);
    expect(head.body).toHaveLength(0);
  });
});

describe('other responses', () => {
  test('a hashed file is immutable', async () => {
    const { status, headers } = await ask(await scriptPath());
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s on a page is 405 with Allow', async method => {
    const { status, headers } = await ask('/contact', {}, method);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test.each([
    [stepPaths.confirm, 'GET, HEAD, POST'],
    [stepPaths.leave, 'GET, HEAD, POST'],
    [tokenPath, 'GET, HEAD'],
    ['/healthz', 'GET, HEAD'],
    [contactPath, 'POST'],
  ])('%s allows %s, and says so to whoever tries another method', async (path, allow) => {
    for (const method of ['PUT', 'TRACE', 'PROPFIND']) {
      const { status, headers } = await ask(path, {}, method);
      expect([status, headers.allow]).toEqual([405, allow]);
    }
  });

  test('every response has the CSP, and none names the server software', async () => {
    const answers = [
      '/',
      '/nowhere',
      '/Contact',
      '/api/nothing',
      '/healthz',
      await scriptPath(),
      '/icon.svg',
    ];
    for (const path of answers) {
      const { headers } = await ask(path);
      expect(headers['content-security-policy'], path).toContain("trusted-types 'none'");
      expect(headers['x-content-type-options'], path).toBe('nosniff');
      expect(headers.server ?? headers['x-powered-by'], path).toBeUndefined();
    }
  });

  test('a message may be chunked, without a Content-Length', async () => {
    const send = (size: number) =>
      fetch(`${site.origin}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: ReadableStream.from([Buffer.from('{"message":"'), Buffer.alloc(size, 'é'), Buffer.from('"}')]),
        duplex: 'half',
      } as RequestInit);
    const taken = await send(60_000);
    expect(taken.status).toBe(200);
    const { reference } = (await taken.json()) as { reference: string };
    expect((await site.store.messages.get(reference))?.message).toBe('é'.repeat(30_000));
    expect((await send(70_000)).status).toBe(413);
  });

  test.each([
    ['a broken header', 'GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    ['headers without an end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('what is no request gets a problem document, too: %s', async (_, text, status) => {
    const answer = await new Promise<string>((resolve, reject) => {
      let heard = '';
      const socket = connect(Number(new URL(site.origin).port), '127.0.0.1', () => socket.write(text));
      socket.on('data', chunk => {
        heard += chunk;
      });
      socket.on('close', () => resolve(heard)).on('error', reject);
    });
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toContain("trusted-types 'none'");
    expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', status });
  });

  test('/healthz answers any host', async () => {
    expect((await ask('/healthz', { host: 'anything.example' })).status).toBe(200);
    expect((await ask('/readyz', { host: 'anything.example' })).status).toBe(200);
  });

  test('the log contains neither query strings nor client addresses', async () => {
    await ask('/contact?email=someone@example.com');
    await ask('/someone@example.com');
    await ask('/api/someone%40example.com?q=secret');
    const log = site.lines.join('');
    expect(log).toContain('"path":"/contact"');
    expect(log).not.toMatch(/someone|secret/);
  });
});
