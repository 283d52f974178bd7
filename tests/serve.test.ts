import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { contactPath, tokenPath } from '../src/features/messages/contract.ts';
import { newsletterPaths } from '../src/features/newsletter/contract.ts';
import { honeypotField } from '../src/ui/contract.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';
import { postJson } from './harness/requests.ts';
import { startSite } from './harness/site.ts';

const site = await disposeAfterAll(startSite());

type Raw = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

/** A request as it is: fetch would decode, follow redirects and add headers of its own. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${site.origin}${path}`, { method, headers }, async response =>
      resolve({
        ...{ status: response.statusCode ?? 0, headers: response.headers },
        body: Buffer.concat(await response.toArray()),
      }),
    );
    outgoing.on('error', reject).end();
  });
}

test('another spelling of a page redirects to it with its query, and what is none leads nowhere', async () => {
  const { status, headers } = await ask('/CONTACT/?a=1&b=%20');
  expect([status, headers.location]).toEqual([308, '/contact?a=1&b=%20']);
  for (const path of ['//example.com/contact', '/contact/x', '/%', '/..%2f..%2fetc/passwd', '/files.json']) {
    const { status, headers, body } = await ask(path);
    expect([path, status, headers.location]).toEqual([path, 404, undefined]);
    expect(body.toString()).toContain('404');
  }
});

test.each([
  ['/contact', 'GET, HEAD'],
  [newsletterPaths.confirm, 'GET, HEAD, POST'],
  [tokenPath, 'GET, HEAD'],
  [contactPath, 'POST'],
])('%s allows %s, and names it in the response to another method', async (path, allow) => {
  const { status, headers } = await ask(path, {}, 'PROPFIND');
  expect([status, headers.allow]).toEqual([405, allow]);
});

test.each(Object.entries({ br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync }))(
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

const crowd = 1000;
const somaxconn = process.platform === 'linux' ? readFileSync('/proc/sys/net/core/somaxconn', 'utf8') : '0';

test.skipIf(Number(somaxconn) < crowd)('1,000 visitors who connect at one moment do not wait', async () => {
  const started = performance.now();
  // The server accepts none of them before the last has asked: the system holds them all.
  const sockets = Array.from({ length: crowd }, () =>
    connect(Number(new URL(site.origin).port), '127.0.0.1'),
  );
  await Promise.all(sockets.map(socket => once(socket, 'connect')));
  const elapsedMs = performance.now() - started;
  for (const socket of sockets) socket.destroy();
  // The system asks again for a connection that was dropped after a second.
  expect(elapsedMs).toBeLessThan(1000);
});

test('spam gets the same response as any other message, byte for byte', async () => {
  const message =
    'Win https://slots.example/1 https://slots.example/2 [url=https://slots.example/3]now[/url]';
  const send = async (honeypot: string) => {
    const response = await postJson(site.origin + contactPath, { message, [honeypotField]: honeypot });
    const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
    const text = (await response.text()).replace(/"reference":"[0-9A-Z]{5}-[0-9A-Z]{5}"/, '"reference":"-"');
    return { status: response.status, headers, text };
  };
  const [ordinary, suspect] = [await send(''), await send('google')];
  expect(ordinary).toMatchObject({ status: 200, text: expect.stringContaining('"reference":"-"') });
  expect(suspect).toEqual(ordinary);
  for (const state of ['quarantined', 'new'] as const)
    expect(await site.store.messages.count({ state })).toBe(1);
});
