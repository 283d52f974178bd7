import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactPath } from '../src/features/messages/contract.ts';
import { sendRaw } from './harness/raw-http.ts';
import { startSite, type TestSite } from './harness/site.ts';

/** One server for all of it: what one request leaves behind, the next one finds. */
let site: TestSite;
let port: number;
beforeAll(async () => {
  site = await startSite({ SITE_URL: 'https://www.example.com' });
  port = Number(new URL(site.origin).port);
});
afterAll(() => site[Symbol.asyncDispose]());

const host = 'Host: www.example.com\r\n';
const get = (path: string, headers = host) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
const post = (headers: string, body: string | Buffer = '') =>
  Buffer.concat([
    Buffer.from(`POST ${contactPath} HTTP/1.1\r\n${host}${headers}\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
const json = (body: string | Buffer) =>
  post(`Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`, body);
const chunked = (body: string, more = '') =>
  post(`Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n${more}`, body);
const hidden = get('/contact');
const alive = get('/healthz', 'Host: anything.example\r\n');

type Case = [name: string, bytes: string | Buffer, ...statuses: number[]];

/** What our own checks refuse. What llhttp refuses before them is its own to test. */
const refused: Case[] = [
  ['two Hosts', get('/', `${host}Host: evil.example\r\n`), 400],
  ['an empty Host', get('/', 'Host:\r\n'), 400],
  ['no Host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 421],
  ['a Host with a user', get('/', 'Host: www.example.com@evil.example\r\n'), 400],
  ['localhost through a proxy', get('/', 'Host: localhost\r\nX-Forwarded-For: 192.0.2.7\r\n'), 421],
  ['a path upwards, percent-encoded', get('/%2e%2e/%2e%2e/etc/passwd'), 404],
  ['CRLF in a query that is passed on', get('/Contact?%0d%0aSet-Cookie:%20a=b'), 308],
  ['a length and chunks', chunked(`0\r\n\r\n${hidden}`, 'Content-Length: 4\r\n'), 400],
  ['a request behind a whole one', `${hidden}SMUGGLED\r\n\r\n`, 200],
  ['JSON over the limit', json(`"${'a'.repeat(70_000)}"`), 413],
  ['JSON that is no UTF-8', json(Buffer.from('7b226d657373616765223a22ff227d', 'hex')), 400],
  ['JSON 30,000 deep', json(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`), 200],
  ['NUL in a message', json('{"message":"a\\u0000b"}'), 422],
  ['a prototype', json('{"__proto__":{"isAdmin":true}}'), 400],
];

test('an invalid request is rejected without an echo, and the next one is answered', async () => {
  for (const [name, bytes, ...statuses] of refused) {
    const answer = await sendRaw(port, bytes, statuses.length);
    expect({ name, statuses: answer.statuses }).toEqual({ name, statuses });
    expect(answer.text, name).not.toMatch(/evil\.example|SMUGGLED|^Set-Cookie/im);
    expect((await sendRaw(port, alive, 1)).statuses, `after ${name}`).toEqual([200]);
  }
});

const answered: Case[] = [
  ['our name in capitals, with a port', get('/contact', 'Host: WWW.Example.COM:3000\r\n'), 200],
  ['this machine, by its local name', get('/contact', 'Host: localhost:3000\r\n'), 200],
  ['an absolute address', get('http://www.example.com/contact?a=b'), 200],
  ['a health check without a Host', 'GET /readyz HTTP/1.0\r\n\r\n', 200],
  ['an upgrade', get('/contact', `${host}Connection: Upgrade\r\nUpgrade: websocket\r\n`), 200],
  ['three in a row', hidden + get('/faq') + get('/nowhere'), 200, 200, 404],
  ['a message in chunks', chunked('2\r\n{}\r\n0\r\n\r\n'), 200],
];

test('a valid request is answered, and none is a server error', async () => {
  for (const [name, bytes, ...statuses] of answered) {
    expect((await sendRaw(port, bytes, statuses.length)).statuses, name).toEqual(statuses);
  }
  for (const line of site.lines) expect(JSON.parse(line)).toMatchObject({ event: expect.any(String) });
  expect(site.lines.filter(line => line.trimEnd().includes('\n'))).toEqual([]);
  expect(site.lines.filter(line => line.includes('"level":"error"'))).toEqual([]);
  expect(site.lines.filter(line => line.includes('unknown host'))).toHaveLength(1);
});

test('a rejected CONNECT that is reset or stays open neither crashes the server nor blocks its shutdown', async () => {
  // Without SITE_URL, which lets any valid Host be answered.
  const other = await startSite();
  const at = Number(new URL(other.origin).port);
  expect((await sendRaw(at, get('/', 'Host: a b\r\n'), 1)).statuses).toEqual([400]);
  expect((await sendRaw(at, get('/', 'Host: anything.example\r\n'), 1)).statuses).toEqual([200]);
  const connectRequest = `CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n`;
  for (let count = 0; count < 20; count += 1) {
    const broken = connect(at, '127.0.0.1').on('error', () => undefined);
    broken.write(connectRequest, () => broken.resetAndDestroy());
    await once(broken, 'close');
  }
  const held = connect({ port: at, host: '127.0.0.1', allowHalfOpen: true }).resume();
  held.write(connectRequest);
  await once(held, 'end');
  expect((await sendRaw(at, alive, 1)).statuses).toEqual([200]);
  await other[Symbol.asyncDispose]();
  held.destroy();
}, 5000);
