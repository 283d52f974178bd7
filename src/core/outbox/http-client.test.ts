import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { beforeEach, expect, test } from 'vitest';
import { makeCertificate } from '../../../tests/fakes/certificate.ts';
import { createHttpService } from '../../../tests/fakes/http-service.ts';
import { disposeAfterAll } from '../../../tests/harness/dispose-after-all.ts';
import { withReason } from '../../../tests/harness/with-reason.ts';
import { classifyResponse, type HttpRequest, type HttpResponse, sendRequest } from './http-client.ts';

const never = new AbortController().signal;
const path = 'secret-path?key=secret-key';

const service = await disposeAfterAll(createHttpService(() => ({ status: 200, body: '{"ok":true}' })));
beforeEach(() => {
  service.script([]);
  service.requests.length = 0;
});

function post(overrides: Partial<HttpRequest> = {}) {
  return sendRequest({ url: service.url + path, method: 'POST', body: '{}', signal: never, ...overrides });
}

test('a response that redirects is not followed, and the connection is used once', async () => {
  service.script([{ kind: 'answer', status: 302, headers: { location: `${service.origin}/other` } }]);
  expect(await post()).toMatchObject({ kind: 'response', status: 302 });
  expect(service.requests).toMatchObject([{ headers: { connection: 'close' } }]);
});

test('a response is read up to 64 KiB', async () => {
  service.script([{ kind: 'answer', status: 200, body: 'x'.repeat(5_000_000) }]);
  expect(await post()).toMatchObject({ body: 'x'.repeat(65_536), isTruncated: true });
});

test.each([
  ['120', 120_000],
  ['99999999999999999999', 86_400_000],
  [new Date(Date.now() + 3_600_000).toUTCString(), 3_600_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', Number.NaN],
])('a response asks to wait: Retry-After %s', async (value, expected) => {
  service.script([{ kind: 'answer', status: 429, headers: { 'retry-after': value } }]);
  const { retryAfterMs = Number.NaN } = (await post()) as HttpResponse;
  // A minute of tolerance: a date is relative to the present.
  expect(Math.round(retryAfterMs / 60_000)).toBe(Math.round(expected / 60_000));
});

test.each([
  ['hang', 'no answer within 0.3 s'],
  ['reset', 'connection reset'],
] as const)('after a %s: it may have arrived', async (kind, reason) => {
  service.script([{ kind }]);
  expect(withReason(await post({ timeoutMs: 300 }))).toEqual({ kind: 'retry', reason, isAmbiguous: true });
});

test('a body that never ends is ambiguous after a success, and still a refusal after a refusal', async () => {
  await using refusing = await createHttpService(() => ({ status: 401 }));
  for (const one of [service, refusing]) one.script([{ kind: 'drip', isDone: true }]);
  const answers = [service, refusing].map(({ url }) => post({ url, timeoutMs: 1000 }));
  const reason = 'answered 200, then its body broke off: no answer within 1 s';
  expect((await Promise.all(answers)).map(withReason)).toMatchObject([
    { reason, isAmbiguous: true },
    { status: 401 },
  ]);
});

test('an attempt that is aborted before it is not sent; one that is aborted during it is ambiguous', async () => {
  expect(await post({ signal: AbortSignal.abort() })).toMatchObject({ isAmbiguous: false });
  expect(service.requests).toHaveLength(0);
  service.script([{ kind: 'hang' }]);
  const stopped = { kind: 'retry', reason: 'stopped before an answer came', isAmbiguous: true };
  expect(withReason(await post({ signal: AbortSignal.timeout(100) }))).toEqual(stopped);
});

test.each<[string, string, (socket: Socket) => void, string | RegExp]>([
  ['does not speak TLS', 'https', socket => socket.end('hello\r\n'), 'TLS handshake failed'],
  ['closes without a word', 'http', socket => socket.end(), /^connection closed before the answer/],
  ['answers with something else', 'http', socket => socket.end('hello\r\n\r\n'), 'answer is not HTTP'],
  ['breaks off its body', 'http', socket => socket.end(tornResponse), /^answered 200, then/],
])('a server that %s: ambiguous only after the handshake', async (_, scheme, accept, reason) => {
  await using server = await listen(createServer(socket => socket.once('data', () => accept(socket))));
  const failure = await post({ url: `${scheme}://127.0.0.1:${server.port}/${path}` });
  const isAmbiguous = scheme === 'http';
  expect(withReason(failure)).toEqual({ kind: 'retry', isAmbiguous, reason: expect.stringMatching(reason) });
  expect(JSON.stringify(failure)).not.toContain('secret');
});

test.each([
  ['a host with two addresses where no server listens', 'localhost', 'connection refused'],
  ['a host that does not exist', 'no-such-host.invalid', /^host name/],
])('no response from %s: nothing was sent', async (_, host, reason) => {
  const { port, ...gone } = await listen(createServer());
  await gone[Symbol.asyncDispose]();
  const failure = await post({ url: `http://${host}:${port}/${path}` });
  expect(withReason(failure)).toEqual({
    kind: 'retry',
    isAmbiguous: false,
    reason: expect.stringMatching(reason),
  });
});

test('no response from a server with an untrusted certificate: nothing was sent', async () => {
  let received = '';
  await using server = await listen(
    createTlsServer(makeCertificate(), socket => socket.on('data', chunk => (received += chunk))),
  );
  const reason = 'certificate not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)';
  const failure = await post({ url: `https://localhost:${server.port}/` });
  expect(withReason(failure)).toEqual({ kind: 'retry', reason, isAmbiguous: false });
  expect(received).toBe('');
});

const response = { kind: 'response', headers: new Headers(), body: 'words of a visitor' } as const;
const classify = (status: number, isSuccess = false) =>
  classifyResponse({ ...response, status, isTruncated: false, retryAfterMs: 7 }, () => isSuccess);

test.each([
  [[401, 407], { kind: 'misconfigured' }],
  [[302, 400, 403, 404, 410, 413, 422], { kind: 'retry', isAmbiguous: false }],
  [[402, 408, 429], { kind: 'retry', isAmbiguous: false, retryAfterMs: 7 }],
  [[200, 201, 500, 503], { kind: 'retry', isAmbiguous: true, retryAfterMs: 7 }],
])('a response of %j is %j, unless the receiver says that it is success', (statuses, expected) => {
  for (const status of statuses) {
    expect(classify(status, true)).toEqual({ kind: 'delivered' });
    const reason = expect.stringMatching(`^answered ${status}(?!.*visitor)`);
    expect(withReason(classify(status))).toEqual({ ...expected, reason });
  }
});

const tornResponse = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab';

async function listen(server: ReturnType<typeof createServer>): Promise<AsyncDisposable & { port: number }> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise(resolve => server.close(() => resolve())),
  };
}
