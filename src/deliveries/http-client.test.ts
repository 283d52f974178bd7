import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeCertificate } from '../../tests/fakes/certificate.ts';
import { createHttpService, type HttpService } from '../../tests/fakes/http-service.ts';
import { classifyResponse, type HttpRequest, type HttpResponse, sendRequest } from './http-client.ts';

let service: HttpService;
const never = new AbortController().signal;
const path = 'secret-path?key=secret-key';

beforeAll(async () => {
  service = await createHttpService(() => ({ status: 200, body: '{"ok":true}' }));
});
beforeEach(() => {
  service.script([]);
  service.requests.length = 0;
});
afterAll(() => service[Symbol.asyncDispose]());

function post(overrides: Partial<HttpRequest> = {}) {
  return sendRequest({ url: service.url + path, method: 'POST', body: '{}', signal: never, ...overrides });
}

async function answered(overrides: Partial<HttpRequest> = {}): Promise<HttpResponse> {
  const answer = await post(overrides);
  if (answer.kind !== 'answered') throw new Error(answer.why);
  return answer;
}

describe('a response', () => {
  test('has status, headers and body, and the request arrives unchanged', async () => {
    const answer = await answered({ method: 'PATCH', headers: { 'x-api-key': 'k' }, body: '{"a":"ü"}' });
    expect(answer).toMatchObject({ status: 200, body: '{"ok":true}', isTruncated: false });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(service.requests).toMatchObject([
      { method: 'PATCH', body: '{"a":"ü"}', headers: { 'x-api-key': 'k', connection: 'close' } },
    ]);
  });

  test('that redirects is not followed', async () => {
    service.script([{ kind: 'answer', status: 302, headers: { location: `${service.origin}/other` } }]);
    expect(await answered()).toMatchObject({ status: 302 });
    expect(service.requests).toHaveLength(1);
  });

  test('is read up to 64 KiB', async () => {
    service.script([{ kind: 'answer', status: 200, body: 'x'.repeat(5_000_000) }]);
    const answer = await answered();
    expect([answer.body.length, answer.isTruncated]).toEqual([65_536, true]);
    service.script([{ kind: 'answer', status: 200, body: 'x'.repeat(65_536) }]);
    expect(await answered()).toMatchObject({ isTruncated: false });
  });

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['-5', 0],
    ['99999999999999999999', 86_400_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400_000],
    ['soon', undefined],
    ['', undefined],
  ])('asks to wait: Retry-After %s', async (value, expected) => {
    service.script([{ kind: 'answer', status: 429, headers: { 'retry-after': value } }]);
    expect((await answered()).retryAfterMs).toBe(expected);
  });

  test('may ask to wait until a date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    service.script([{ kind: 'answer', status: 503, headers: { 'retry-after': date } }]);
    const { retryAfterMs } = await answered();
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });
});

describe('no response', () => {
  test.each([
    ['hang', 'no answer within 1.5 s'],
    ['drip', 'answered 200, then its body broke off: no answer within 1.5 s'],
    ['reset', 'connection reset'],
  ] as const)('after a %s: it may have arrived', async (kind, why) => {
    service.script([{ kind }]);
    expect(await post({ timeoutMs: 1500 })).toEqual({ kind: 'retry', why, isAmbiguous: true });
  });

  test('a slow body after a refusal is still that refusal', async () => {
    await using refusing = await createHttpService(() => ({ status: 401 }));
    refusing.script([{ kind: 'drip', isDone: true }]);
    expect(await answered({ url: refusing.url, timeoutMs: 1500 })).toMatchObject({ status: 401 });
  });

  test('when the attempt is aborted: before it, not sent; during it, ambiguous', async () => {
    expect(await post({ signal: AbortSignal.abort() })).toMatchObject({ isAmbiguous: false });
    expect(service.requests).toHaveLength(0);
    service.script([{ kind: 'hang' }]);
    expect(await post({ signal: AbortSignal.timeout(100) })).toEqual({
      kind: 'retry',
      why: 'stopped before an answer came',
      isAmbiguous: true,
    });
  });

  test('when it timed out before there was a connection, as after a suspend: not sent', async () => {
    const awake = performance.now();
    const time = vi.spyOn(performance, 'now').mockImplementation(() => awake);
    const posted = post();
    time.mockImplementation(() => awake + 15_001);
    const why = 'its deadline passed before it was sent';
    expect(await posted).toEqual({ kind: 'retry', why, isAmbiguous: false });
    time.mockRestore();
    await answered();
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ['a port where nobody listens', () => closedOrigin('127.0.0.1'), 'connection refused'],
    ['a host with two addresses where nobody listens', () => closedOrigin('localhost'), 'connection refused'],
    ['a port that is no web port', () => 'http://127.0.0.1:25', 'port is one that HTTP may not use'],
    ['a host that does not exist', () => 'http://no-such-host.invalid', /^host name/],
  ])('from %s: nothing was sent', async (_, origin, why) => {
    const failure = await post({ url: `${await origin()}/${path}` });
    expect(failure).toMatchObject({ kind: 'retry', isAmbiguous: false, why: expect.stringMatching(why) });
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  test('from a server with an untrusted certificate: nothing was sent', async () => {
    let requestCount = 0;
    const server = createHttpsServer(makeCertificate(), (_, response) => {
      requestCount += 1;
      response.end();
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await post({ url: `https://localhost:${port}/` })).toEqual({
      kind: 'retry',
      why: 'certificate not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)',
      isAmbiguous: false,
    });
    expect(requestCount).toBe(0);
    await new Promise(resolve => server.close(resolve));
  });

  test('from a server without TLS: nothing was sent', async () => {
    const url = service.url.replace('http:', 'https:') + path;
    expect(await post({ url })).toMatchObject({ isAmbiguous: false, why: 'TLS handshake failed' });
    await using dropping = await rawServer(socket => socket.once('data', () => socket.destroy()));
    expect(await post({ url: `https://127.0.0.1:${dropping.port}/` })).toMatchObject({
      isAmbiguous: false,
      why: 'TLS handshake failed',
    });
  });

  test.each([
    ['closed without a word', '', 'connection closed before the answer was complete'],
    ['answered with something else', 'hello\r\n\r\n', 'answer is not HTTP'],
    ['cut within its body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab', /^answered 200, then/],
  ])('from a server that %s: it may have arrived', async (_, text, why) => {
    await using server = await rawServer(socket => socket.once('data', () => socket.end(text)));
    const failure = await post({ url: `http://127.0.0.1:${server.port}/${path}` });
    expect(failure).toMatchObject({ kind: 'retry', isAmbiguous: true, why: expect.stringMatching(why) });
    expect(JSON.stringify(failure)).not.toContain('secret');
  });
});

describe('the meaning of a response', () => {
  const answer = (status: number, retryAfterMs?: number): HttpResponse => ({
    kind: 'answered',
    status,
    headers: new Headers(),
    body: 'the words of a visitor',
    isTruncated: false,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

  test.each([401, 407])('%i pauses the receiver', status => {
    expect(classifyResponse(answer(status), () => false)).toEqual({
      kind: 'misconfigured',
      why: `answered ${status}`,
    });
  });

  test.each([400, 403, 404, 405, 406, 410, 413, 422, 451])(
    '%i rejects this delivery only, whatever its Retry-After',
    status => {
      const why = expect.stringMatching(`^answered ${status}: `);
      const refusal = { kind: 'retry', why, isAmbiguous: false, isRefused: true };
      expect(classifyResponse(answer(status, 3_600_000), () => false)).toEqual(refusal);
    },
  );

  test.each([
    [200, true],
    [201, true],
    [302, false],
    [402, false],
    [408, false],
    [429, false],
    [500, true],
    [503, true],
  ])('%i is a failure; it may have arrived: %s', (status, isAmbiguous) => {
    const outcome = classifyResponse(answer(status), () => false);
    expect(outcome).toMatchObject({ kind: 'retry', isAmbiguous });
    expect(outcome).not.toHaveProperty('isRefused');
    expect(JSON.stringify(outcome)).not.toContain('visitor');
  });

  test('Retry-After is passed on', () => {
    expect(classifyResponse(answer(429, 7), () => false)).toMatchObject({ retryAfterMs: 7 });
    expect(classifyResponse(answer(503, 8), () => false)).toMatchObject({ retryAfterMs: 8 });
  });

  test('the receiver decides what success is', () => {
    expect(classifyResponse(answer(204), ({ status }) => status === 204)).toEqual({ kind: 'delivered' });
  });
});

async function closedOrigin(host: string): Promise<string> {
  await using server = await rawServer(() => undefined);
  return `http://${host}:${server.port}`;
}

async function rawServer(
  accept: Parameters<typeof createServer>[1],
): Promise<AsyncDisposable & { port: number }> {
  const server: Server = createServer(accept);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    [Symbol.asyncDispose]: () => new Promise(resolve => server.close(() => resolve())),
  };
}
