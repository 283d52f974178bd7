import { expect, test } from 'vitest';
import { contactPath, honeypotField } from '../src/api/contract.ts';
import { postJson } from './harness/requests.ts';
import { startSite } from './harness/site.ts';

const spam = {
  name: 'Charles',
  email: 'charles@slots.example',
  message: 'Win https://slots.example/1 https://slots.example/2 [url=https://slots.example/3]now[/url]',
  [honeypotField]: 'google',
};

test('spam gets the same response as any other message, byte for byte', async () => {
  await using site = await startSite();
  const send = async (body: object) => {
    const response = await postJson(site.origin + contactPath, body);
    const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
    const text = (await response.text()).replace(/"reference":"[0-9A-Z]{5}-[0-9A-Z]{5}"/, '"reference":"-"');
    return { status: response.status, headers, text };
  };
  const [ordinary, suspect] = [await send({ ...spam, [honeypotField]: '' }), await send(spam)];
  expect(ordinary).toMatchObject({ status: 200, text: expect.stringContaining('"reference":"-"') });
  expect(suspect).toEqual(ordinary);
  expect(await site.store.messages.count({ state: 'quarantined' })).toBe(1);
  expect(await site.store.messages.count({ state: 'new' })).toBe(1);
});
