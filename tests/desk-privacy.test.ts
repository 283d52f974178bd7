import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDesk } from './harness/desk.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';
import { newMessage } from './harness/sample-message.ts';
import { bringToState, verbDeps } from './harness/subscribers.ts';

const email = 'zoe@example.com';
const reader = 'ann@example.com';
const person = { name: 'Zoe Adams', email, message: 'Please call me back about the audit.' };

const desk = await disposeAfterAll(startDesk());
const { messages } = desk.services.store;
await messages.add(newMessage(person));
const other = newMessage({ name: 'Max', email: 'max@example.com', message: `Ask ${email} about it.` });
const mention = other.reference;
await messages.add(other);
for (const address of [email, reader]) await bringToState(verbDeps(desk.services), address, 'confirmed');

/** Opens a request, and returns its path, which does not contain the address. */
async function find(address = email): Promise<string> {
  const response = await desk.post('/privacy', { email: address });
  expect(response.status).toBe(303);
  const path = response.headers.get('location') ?? '';
  expect(path).toMatch(/^\/privacy\/[\w-]{12}$/);
  return path;
}

async function read(path: string): Promise<string> {
  return (await desk.request(path)).text();
}

test('says first that the identity must be verified, and refuses what is no address', async () => {
  const begun = await (await desk.post('/privacy/start', { email })).text();
  for (const text of ['Verify the identity first', `value="${email}"`]) expect(begun).toContain(text);
  const refused = await desk.post('/privacy', { email: 'zoe', references: 'AAAAA-AAAAA' });
  expect(refused.status).toBe(422);
  const page = await refused.text();
  for (const text of ['Enter an email address', 'There is no message AAAAA-AAAAA'])
    expect(page).toContain(text);
});

test('moves the subscription of a person without messages, once, after a page that says so', async () => {
  const path = `${await find(reader)}/correct`;
  const change = { 'new-email': 'ann.new@example.com' };
  expect(await (await desk.post(path, change)).text()).toContain('>Move the subscription<');
  const confirmed = { ...change, 'is-confirmed': 'yes' };
  const [done, again] = await Promise.all([desk.post(path, confirmed), desk.post(path, confirmed)]);
  const location = done.headers.get('location') ?? '';
  for (const other of [again, await desk.post(path, confirmed)])
    expect(other.headers.get('location')).toBe(location);
  const page = await read(location);
  expect(page).toContain('the new address is asked to confirm');
  expect(page).not.toContain('nothing');
});

test('lists what goes and what remains to do, then erases it all and forgets the address', async () => {
  const { config, store } = desk.services;
  const ownFile = join(config.dataDir, 'notes.txt');
  writeFileSync(ownFile, `call ${email}`);
  await desk.post('/health/backups');
  await store.schedule.recordRun('backup', new Date().toISOString());
  const path = await find();
  const asked = await read(`${path}/erase`);
  for (const text of [person.message, mention, 'Stays as it is', 'notes.txt', 'still contain the data'])
    expect(asked).toContain(text);
  expect(asked).not.toContain('site-2');
  expect((await store.messages.get(mention))?.message).toContain(email);

  // A double click erases once, and its second answer is the page of the first.
  const [done, again] = await Promise.all([desk.post(`${path}/erase`), desk.post(`${path}/erase`)]);
  const later = await desk.post(`${path}/erase`);
  for (const other of [again, later])
    expect(other.headers.get('location')).toBe(done.headers.get('location'));
  const page = await read(done.headers.get('location') ?? '');
  for (const text of ['Erased: 1 message, 1 mention and 1 newsletter subscription', ownFile])
    expect(page).toContain(text);
  expect(page).not.toContain(email);
  expect((await store.messages.get(mention))?.message).toBe('Ask [erased] about it.');
  expect(existsSync(ownFile)).toBe(true);
  expect(readFileSync(join(config.dataDir, 'erasures.ndjson'), 'utf8')).toContain('"erase"');
  expect((await desk.request(path)).headers.get('location')).toBe('/privacy');
});
