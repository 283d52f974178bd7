import { afterAll, expect, test } from 'vitest';
import { sendRaw } from '../../../tests/harness/raw-http.ts';
import { startSmallSite } from '../../../tests/harness/small-build.ts';
import { contactPath } from '../../features/messages/contract.ts';

const site = await startSmallSite();
const port = Number(new URL(site.origin).port);
afterAll(() => site?.[Symbol.asyncDispose]());

const head = `POST ${contactPath} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
const inChunks = (text: string, size: number, remark = '') =>
  (text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [])
    .map(piece => `${piece.length.toString(16)}${remark}\r\n${piece}\r\n`)
    .join('');
const end = '0\r\n\r\n';
const message = '{"message":"Please call."}';
const post = (length: number, size: number, remark = '') =>
  `${head}${inChunks(message.padEnd(length), size, remark)}${end}`;
const next = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
const count = () => site.store.messages.count({});

test.each([
  ['a body in 1,000 chunks of one byte', [200, 200], post(1000, 1)],
  ['a body in chunks of 64 bytes up to the size limit', [200, 200], post(64_000, 64)],
  // The connection is closed after 1,000 chunks that are too small.
  ['a body in 1,001 chunks of one byte', [400], post(1001, 1)],
  ['a body in chunks of 63 bytes', [400], post(63_500, 63)],
  ['a body with a remark at each chunk', [400], post(1001, 1, ';a=b')],
])('%s and the next request are answered with %j', async (_, statuses, bytes) => {
  const before = await count();
  expect((await sendRaw(port, bytes + next, 2)).statuses).toEqual(statuses);
  expect(await count()).toBe(statuses[0] === 200 ? before + 1 : before);
});
