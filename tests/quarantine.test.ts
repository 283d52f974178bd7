import { expect, test } from 'vitest';
import { contactPath, honeypotField } from '../src/api/contract.ts';
import { sendRaw } from './harness/raw-http.ts';
import { startSite } from './harness/site.ts';

const spam = {
  name: 'Charles',
  email: 'charles@slots.example',
  message: 'Win https://slots.example/1 https://slots.example/2 [url=https://slots.example/3]now[/url]',
  [honeypotField]: 'google',
};
test('spam gets the same response as any other message, byte for byte', async () => {
  await using site = await startSite();
  const port = Number(new URL(site.origin).port);
  const answer = async (body: object) => {
    const text = JSON.stringify(body);
    const head = [
      `POST ${contactPath} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
    ];
    return (await sendRaw(port, `${head.join('\r\n')}\r\n\r\n${text}`, 1)).text;
  };
  const masked = (text: string) =>
    text
      .replace(/^(date|x-request-id): .*$/gim, '$1: -')
      .replace(/"reference":"[0-9A-Z]{5}-[0-9A-Z]{5}"/, '"reference":"-"');
  const [ordinary, suspect] = [await answer({ ...spam, [honeypotField]: '' }), await answer(spam)];
  expect(ordinary).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(masked(suspect)).toBe(masked(ordinary));
  expect(masked(ordinary)).not.toBe(ordinary);
  expect(suspect.length).toBe(ordinary.length);
  expect(await site.store.messages.count({ state: 'quarantined' })).toBe(1);
  expect(await site.store.messages.count({ state: 'new' })).toBe(1);
});
