import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactPath, newsletterPath, stepPaths } from '../src/api/contract.ts';
import { sendRaw } from './harness/raw.ts';
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
const post = (headers: string, body: string | Buffer = '', path: string = contactPath) =>
  Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${host}${headers}\r\n`, 'latin1'), Buffer.from(body)]);
const sized = (type: string, body: string | Buffer, path?: string) =>
  post(`Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`, body, path);
const json = (body: string | Buffer, path?: string) => sized('application/json', body, path);
const form = (body: string | Buffer, path?: string) => sized('application/x-www-form-urlencoded', body, path);
const chunked = (body: string, more = '') =>
  post(`Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n${more}`, body);
const hidden = get('/contact');
const alive = get('/healthz', 'Host: anything.example\r\n');

type Case = [name: string, bytes: string | Buffer, ...statuses: number[]];

const suites: Record<string, Case[]> = {
  'whom it is for': [
    ['two Hosts', get('/', `${host}Host: evil.example\r\n`), 400],
    ['two equal Hosts', get('/', host + host), 400],
    ['two Hosts, for a check', get('/healthz', `${host}HOST: b\r\n`), 400],
    ['two Hosts, for the API', post('host: evil.example\r\nContent-Length: 0\r\n'), 400],
    ['no Host', get('/', ''), 400],
    ['an empty Host', get('/', 'Host:\r\n'), 400],
    ['no Host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 421],
    ['an unknown Host', get('/', 'Host: evil.example\r\n'), 421],
    ['an unknown Host, for a script', get('/static/js/x.js', 'Host: evil.example\r\n'), 421],
    ['an unknown Host, for the API', get('/api/contact', 'Host: evil.example\r\n'), 421],
    ['an address in numbers', get('/', 'Host: 127.0.0.1\r\n'), 421],
    ['this machine by name', get('/', 'Host: localhost:3000\r\n'), 421],
    ['our name as the beginning of another', get('/', 'Host: www.example.com.evil.example\r\n'), 421],
    ['our name as the end of another', get('/', 'Host: evilwww.example.com\r\n'), 421],
    ['a Host with a user', get('/', 'Host: www.example.com@evil.example\r\n'), 400],
    ['a Host with a path', get('/', 'Host: www.example.com/x\r\n'), 400],
    ['a Host with a space', get('/', 'Host: www.example.com evil.example\r\n'), 400],
    ['a list of Hosts', get('/', 'Host: www.example.com, evil.example\r\n'), 400],
    ['a Host with a port of letters', get('/', 'Host: www.example.com:http\r\n'), 400],
    ['a Host with a byte that is no letter', get('/', 'Host: www.example.com\xff\r\n'), 400],
    [
      'a forwarded Host, which nobody believes',
      get('/', 'Host: x\r\nX-Forwarded-Host: www.example.com\r\n'),
      421,
    ],
    ['an absolute address elsewhere', get('http://evil.example/'), 400],
    ['an absolute address elsewhere, for a check', get('http://evil.example/healthz'), 400],
    ['an absolute address of another kind', get('ftp://www.example.com/'), 400],
    ['an absolute address without a host', get('http:///contact'), 400],
    ['an absolute address with a user', get('http://user@www.example.com/'), 400],
    ['an absolute address of a file', get('file:///etc/passwd'), 400],
    ['a script for an address', get('javascript:alert(1)'), 400],
    ['a path without its slash', get('contact'), 400],
    ['a star', 'OPTIONS * HTTP/1.1\r\nHost: www.example.com\r\n\r\n', 400],
    ['a tunnel', 'CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com\r\n\r\n', 405],
    ['a tunnel elsewhere', 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ],
  'the line it begins with': [
    ['nothing but noise', Buffer.from([0, 255, 254, 13, 10, 13, 10]), 400],
    ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex'), 400],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['no version', 'GET /\r\n\r\n', 400],
    ['a version that is none', `GET / HTTP/9.9\r\n${host}\r\n`, 400],
    ['a version of the future', `GET / HTTP/2.0\r\n${host}\r\n`, 400],
    ['another protocol', `GET / HTTQ/1.1\r\n${host}\r\n`, 400],
    ['a method in small letters', `get / HTTP/1.1\r\n${host}\r\n`, 400],
    ['an unknown method', `STEAL / HTTP/1.1\r\n${host}\r\n`, 400],
    ['a method for nobody', `TRACE / HTTP/1.1\r\n${host}\r\n`, 405],
    ['a space within the path', get('/con tact'), 400],
    ['a tab for a space', `GET\t/\tHTTP/1.1\r\n${host}\r\n`, 400],
    ['NUL in the path', get('/con\0tact'), 400],
    ['a bare CR in the path', get('/con\rtact'), 400],
    ['a path without end', get(`/${'a'.repeat(20_000)}`), 431],
    ['a query without end', get(`/?${'a'.repeat(20_000)}`), 431],
    ['a percent sign that stands for nothing', get('/%zz'), 404],
    ['a path that is no text', get('/%ff%fe'), 404],
    ['NUL, written in percent', get('/%00'), 404],
    ['a way upwards', get('/../../etc/passwd'), 404],
    ['a way upwards, written in percent', get('/%2e%2e/%2e%2e/etc/passwd'), 404],
    ['a way upwards, written in percent twice', get('/%252e%252e%252fetc/passwd'), 404],
    ['a way upwards with backslashes', get('/..\\..\\etc\\passwd'), 404],
    ['a way upwards inside the API', get('/api/../../etc/passwd'), 404],
    ['a backslash inside the API', get('/api/\\contact'), 400],
    ['a line of its own in a query that is passed on', get('/Contact?%0d%0aSet-Cookie:%20a=b'), 308],
    ['bytes that are no letters in a query', Buffer.from(get('/Contact?\xff'), 'latin1'), 400],
    ['a line of its own in the path', get('/%0d%0aSet-Cookie:%20a=b'), 404],
  ],
  'its headers': [
    ['a header without a colon', get('/', `${host}no colon\r\n`), 400],
    ['a space before the colon', get('/', `${host}X-A : b\r\n`), 400],
    ['a name that is none', get('/', `${host}X(A): b\r\n`), 400],
    ['no name', get('/', `${host}: b\r\n`), 400],
    ['a folded header', get('/', `${host}X-A: b\r\n c\r\n`), 400],
    ['a folded Host', get('/', 'Host: www.example.com\r\n evil.example\r\n'), 400],
    ['a first header that is folded', get('/', ` ${host}`), 400],
    ['a bare LF behind a header', get('/', `${host}X-A: b\nX-B: c\r\n`), 400],
    ['nothing but bare LFs', 'GET / HTTP/1.1\nHost: www.example.com\n\n', 400],
    ['a bare CR inside a header', get('/', `${host}X-A: b\rX-B: c\r\n`), 400],
    ['NUL inside a header', get('/', `${host}X-A: b\0c\r\n`), 400],
    ['a header without end', get('/', `${host}X: ${'x'.repeat(20_000)}\r\n`), 431],
    ['a name without end', get('/', `${host}${'x'.repeat(20_000)}: x\r\n`), 431],
    ['101 headers', get('/', host + 'a:b\r\n'.repeat(100)), 431],
    ['a second Host behind 3,000 headers', get('/', `${host}${'a:b\r\n'.repeat(3000)}Host: b\r\n`), 431],
    ['an expectation that nobody meets', get('/', `${host}Expect: a miracle\r\n`), 417],
    ['headers that stop half-way', `GET / HTTP/1.1\r\n${host}X-A: b`, 400],
  ],
  'where its body ends': [
    ['two lengths', post('Content-Length: 1\r\nContent-Length: 2\r\n', 'ab'), 400],
    ['two equal lengths', post('Content-Length: 2\r\nContent-Length: 2\r\n', 'ab'), 400],
    ['a list of lengths', post('Content-Length: 2, 2\r\n', 'ab'), 400],
    ['a length below nothing', post('Content-Length: -1\r\n'), 400],
    ['a length with a plus', post('Content-Length: +2\r\n', '{}'), 400],
    ['a length in sixteens', post('Content-Length: 0x2\r\n', '{}'), 400],
    ['a length that no number holds', post(`Content-Length: ${'9'.repeat(40)}\r\n`), 400],
    ['a length and chunks', chunked(`0\r\n\r\n${hidden}`, 'Content-Length: 4\r\n'), 400],
    [
      'chunks and a length',
      post(`Content-Length: 4\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${hidden}`),
      400,
    ],
    ['chunks, twice', chunked('0\r\n\r\n', 'Transfer-Encoding: chunked\r\n'), 400],
    ['chunks, and then not', chunked('0\r\n\r\n', 'Transfer-Encoding: identity\r\n'), 400],
    ['chunks that are not the last', post('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'), 400],
    [
      'chunks of what is packed',
      post('Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'),
      400,
    ],
    ['an encoding that is unknown', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), 400],
    ['a space before the colon of chunks', post('Transfer-Encoding : chunked\r\n', '0\r\n\r\n'), 400],
    ['a folded line of chunks', post('Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'), 400],
    ['a tab for the blank of chunks', post('Transfer-Encoding:\x0bchunked\r\n', '0\r\n\r\n'), 400],
    ['a chunk of no size', chunked('\r\nab\r\n0\r\n\r\n'), 400],
    ['a chunk of a size in letters', chunked('zz\r\nab\r\n0\r\n\r\n'), 400],
    ['a chunk of a size below nothing', chunked('-2\r\nab\r\n0\r\n\r\n'), 400],
    ['a chunk of a size with 0x', chunked('0x2\r\n{}\r\n0\r\n\r\n'), 400],
    ['a chunk of a size that no number holds', chunked(`${'f'.repeat(17)}\r\nab\r\n0\r\n\r\n`), 400],
    ['a chunk longer than it says', chunked('1\r\n{}\r\n0\r\n\r\n'), 400],
    ['a chunk that ends with a bare LF', chunked('2\n{}\n0\n\n'), 400],
    ['a remark without end at a chunk', chunked(`2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`), 400],
    ['chunks without their end', chunked('2\r\n{}\r\n'), 400],
    [
      'a body shorter than it says',
      post('Content-Type: application/json\r\nContent-Length: 9\r\n', '{}'),
      400,
    ],
    ['a request within a body of none', `${hidden}SMUGGLED\r\n\r\n`, 200],
  ],
  'what its body says': [
    ['JSON over the limit', json(`"${'a'.repeat(70_000)}"`), 413],
    [
      // The second is for the end of what was never sent.
      'a length over the limit',
      post('Content-Type: application/json\r\nContent-Length: 99999999\r\n', '{'),
      413,
      400,
    ],
    ['JSON that stops half-way', json('{"message":"a'), 400],
    ['JSON that is no text', json(Buffer.from('7b226d657373616765223a22ff227d', 'hex')), 400],
    ['JSON in UTF-16', json(Buffer.from('{"message":"a"}', 'utf16le')), 400],
    ['JSON 30,000 deep', json(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`), 200],
    ['a lone surrogate', json('{"message":"a\\ud800b"}'), 422],
    ['NUL', json('{"message":"a\\u0000b"}'), 422],
    ['NUL for the newsletter', json('{"email":"a\\u0000@example.com"}', newsletterPath), 422],
    ['a prototype', json('{"__proto__":{"isAdmin":true}}'), 400],
    ['a prototype of a constructor', json('{"constructor":{"prototype":{}}}'), 400],
    ['a form with a prototype', form('__proto__[isAdmin]=1'), 400],
    ['a form of 10,000 fields', form('a=1&'.repeat(10_000)), 400],
    ['a form that is no text', form(Buffer.from('message=\xff', 'latin1')), 400],
    ['a form that is no text, in percent', form('message=%ff'), 400],
    ['a form of a broken percent sign', form('message=%u0041'), 400],
    ['a form with NUL', form('message=a%00b'), 400],
    ['a form of 10,000 fields, to a button', form('a=1&'.repeat(10_000), stepPaths.leave), 413],
    [
      'what is packed',
      post('Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n', '{}'),
      415,
    ],
    ['another set of letters', sized('application/json; charset=utf-16', '{}'), 415],
    ['a form in parts', sized('multipart/form-data; boundary=a', '--a--'), 415],
    ['from another site', post('Sec-Fetch-Site: cross-site\r\nContent-Length: 2\r\n', '{}'), 403],
    ['from nowhere', post('Origin: null\r\nContent-Length: 2\r\n', '{}'), 403],
    [
      'from our name without encryption',
      post('Origin: http://www.example.com\r\nContent-Length: 2\r\n', '{}'),
      403,
    ],
  ],
};

describe.each(Object.entries(suites))('a request that is wrong in %s', (_, cases) => {
  test.each(cases)('%s', async (_name, bytes, ...statuses) => {
    const answer = await sendRaw(port, bytes, statuses.length);
    expect(answer.statuses).toEqual(statuses);
    expect(answer.text).not.toMatch(/evil\.example|SMUGGLED|^Set-Cookie/im);
    expect((await sendRaw(port, alive, 1)).statuses).toEqual([200]);
  });
});

describe('a request that is right', () => {
  test.each<Case>([
    ['by our name', get('/contact'), 200],
    ['by our name in capitals, with a port', get('/contact', 'Host: WWW.Example.COM:3000\r\n'), 200],
    ['by our name with its last dot', get('/contact', 'Host: www.example.com.\r\n'), 200],
    ['with the absolute address', get('http://www.example.com/contact?a=b'), 200],
    ['with the absolute address of the home page', get('https://WWW.example.com'), 200],
    ['with the absolute address of the API', get('http://www.example.com/api/contact'), 405],
    ['for a check, without a Host', 'GET /readyz HTTP/1.0\r\n\r\n', 200],
    ['for a check, by number', get('/healthz', 'Host: 10.0.0.7:3000\r\n'), 200],
    ['for a check, by IPv6', get('/healthz', 'Host: [fd00::7]:3000\r\n'), 200],
    [
      'that would rather speak HTTP/2',
      get('/contact', `${host}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n`),
      200,
    ],
    [
      'that would rather speak otherwise',
      get('/contact', `${host}Connection: Upgrade\r\nUpgrade: websocket\r\n`),
      200,
    ],
    ['three in a row', hidden + get('/faq') + get('/nowhere'), 200, 200, 404],
    ['a message in chunks', chunked('2\r\n{}\r\n0\r\n\r\n'), 200],
    [
      'a message that asks before it goes on',
      post('Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n', '{}'),
      200,
    ],
  ])('is answered: %s', async (_, bytes, ...statuses) => {
    expect((await sendRaw(port, bytes, statuses.length)).statuses).toEqual(statuses);
  });

  test('and nothing was a fault of ours; strangers are told of once, and no line of the log is two', () => {
    for (const line of site.lines) expect(JSON.parse(line)).toMatchObject({ event: expect.any(String) });
    expect(site.lines.filter(line => line.trimEnd().includes('\n'))).toEqual([]);
    expect(site.lines.filter(line => line.includes('"level":"error"'))).toEqual([]);
    expect(site.lines.filter(line => line.includes('host not ours'))).toHaveLength(1);
  });
});

test('an address of the API that none can be made of is refused as all else is, with a problem document', async () => {
  const { statuses, text } = await sendRaw(port, get('/api/\\contact'), 1);
  expect(statuses).toEqual([400]);
  expect(text).toContain('\r\nContent-Type: application/problem+json\r\n');
  expect(text).toContain('{"type":"about:blank","title":"Bad Request","status":400}');
});

test('without SITE_URL any Host that can be one is answered', async () => {
  await using open = await startSite();
  const at = Number(new URL(open.origin).port);
  expect((await sendRaw(at, get('/', 'Host: anything.example\r\n'), 1)).statuses).toEqual([200]);
  expect((await sendRaw(at, get('/', 'Host: a\r\nHost: a\r\n'), 1)).statuses).toEqual([400]);
  expect((await sendRaw(at, get('/', 'Host: a b\r\n'), 1)).statuses).toEqual([400]);
});

test('a request that would rather speak otherwise is the last on its connection, which the server ends', async () => {
  const socket = connect(port, '127.0.0.1').resume();
  socket.write(get('/contact', `${host}Connection: Upgrade\r\nUpgrade: websocket\r\n`));
  await once(socket, 'end');
}, 4000);

test('a tunnel that is refused, and then broken off or never ended, neither ends the server nor keeps it from ending', async () => {
  const other = await startSite();
  const at = Number(new URL(other.origin).port);
  const asked = `CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n`;
  for (let count = 0; count < 20; count += 1) {
    const broken = connect(at, '127.0.0.1').on('error', () => undefined);
    broken.write(asked, () => broken.resetAndDestroy());
    await once(broken, 'close');
  }
  const held = connect({ port: at, host: '127.0.0.1', allowHalfOpen: true }).resume();
  held.write(asked);
  await once(held, 'end');
  expect((await sendRaw(at, alive, 1)).statuses).toEqual([200]);
  await other[Symbol.asyncDispose]();
  held.destroy();
}, 5000);
