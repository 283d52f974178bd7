import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../../tests/harness/raw-http.ts';
import { startSite, type TestSite } from '../../tests/harness/site.ts';
import { contactPath } from '../api/contract.ts';

let site: TestSite;
let port: number;
beforeAll(async () => {
  site = await startSite();
  port = Number(new URL(site.origin).port);
});
afterAll(() => site[Symbol.asyncDispose]());

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

describe('a chunked body is accepted', () => {
  test.each([
    ['in 1,000 of one byte', post(1000, 1)],
    ['in chunks of 64 bytes up to the size limit', post(64_000, 64)],
  ])('%s', async (_, bytes) => {
    const before = await count();
    expect((await sendRaw(port, bytes + next, 2)).statuses).toEqual([200, 200]);
    expect(await count()).toBe(before + 1);
  });
});

describe('a connection is closed after 1,000 chunks that are too small', () => {
  test.each([
    ['of one message', post(1001, 1)],
    ['of 63 bytes', post(63_500, 63)],
    ['with a remark at each', post(1001, 1, ';a=b')],
  ])('%s, which gets 400 and is not stored', async (_, bytes) => {
    const before = await count();
    expect((await sendRaw(port, bytes + next.repeat(5), 6)).statuses).toEqual([400]);
    expect(await count()).toBe(before);
  });
});
