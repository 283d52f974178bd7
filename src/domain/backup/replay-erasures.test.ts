import { afterAll, beforeAll, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../../tests/harness/databases.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { collectLog, testConfig } from '../../../tests/harness/site.ts';
import { bringToState, verbDeps } from '../../../tests/harness/subscribers.ts';
import { createKeyedHash } from '../../lib/keyed-hash.ts';
import { type Services, wire } from '../../server/wire.ts';
import type { AuditRow } from '../../store/tables.ts';
import { requestSubscription } from '../newsletter/request-subscription.ts';
import { createAuditPseudonyms } from '../privacy/pseudonym.ts';
import { replayErasures } from './replay-erasures.ts';

const [before, erasedAt, after] = ['2026-01-01', '2026-02-01', '2026-03-01'].map(
  day => `${day}T00:00:00.000Z`,
);
const other = createAuditPseudonyms(createKeyedHash('the secret of another database'));

let database: TestDatabase;
let site: Services;
beforeAll(async () => {
  database = (await databases[0]?.create()) as TestDatabase;
  const clock = { now: () => new Date(before as string) };
  site = await wire(testConfig(database.env), { ...collectLog(), clock });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await database.remove();
});

async function add(email: string, message = '', received_at = before as string): Promise<string> {
  const row = newMessage({ email, message, received_at, receivers: ['sheet'] });
  await site.store.messages.add(row);
  return row.reference;
}
function replay(action: AuditRow['action'], hash: string, subscribed: string[] = []) {
  const { privacy, subscribers } = site.store;
  const deps = {
    privacy,
    subscribers,
    newsletter: site.newsletter.pseudonyms,
    pseudonyms: [site.audit, other],
  };
  return replayErasures(deps, [{ hash, action, done_at: erasedAt as string, counts: '{}' }], subscribed);
}
const wordsOf = async (reference: string) => (await site.store.messages.get(reference))?.message;

test('messages are deleted with their deliveries, mentions are redacted, and later ones stay', async () => {
  const gone = [await add('ann@example.com', 'mine'), await add(' ANN@Example.com.')];
  const named = await add('', '');
  await database.query(`update messages set name = 'Ann@example.com' where reference = '${named}'`);
  const kept = [await add('joann@example.com'), await add('ann@example.com', 'back', after), await add('')];
  const mention = await add(
    'bob@example.com',
    'Ask <Ann@example.com>, mailto:ann@example.com?subject=x or q=ann%40example.com.',
  );
  const same = await add('bob@example.com', 'joann@example.com, ann@example.com.au');
  expect(await replay('erase', site.audit.ofAddress('ann@example.com'))).toEqual({
    ...{ messages: 3, mentions: 1, newsletter: 0 },
  });
  for (const reference of [...gone, named]) {
    expect(await site.store.messages.get(reference)).toBeUndefined();
    expect(await site.store.privacy.listDeliveries([reference])).toEqual([]);
  }
  for (const reference of kept) expect(await site.store.messages.get(reference)).toBeDefined();
  expect(await wordsOf(mention)).toBe('Ask <[erased]>, mailto:[erased]?subject=x or q=[erased].');
  expect(await wordsOf(same)).toBe('joann@example.com, ann@example.com.au');
});

test('an address that is only in a link is found', async () => {
  const link = await add('bob@example.com', 'https://x.example/?to%3Dann%2Bx%40example.com&y');
  await replay('erase', site.audit.ofAddress('ann+x@example.com'));
  expect(await wordsOf(link)).toBe('https://x.example/?to%3D[erased]&y');
});

test("newsletter entries, single messages and entries of another database's key are replayed", async () => {
  await bringToState(verbDeps(site), 'cy@example.com', 'confirmed');
  const [theirs, single, foreign] = [
    await add('cy@example.com'),
    await add('dee@example.com'),
    await add('eve@example.com'),
  ];
  const hash = site.audit.ofAddress('cy@example.com');
  expect(await replay('erase-newsletter', hash, ['cy@example.com'])).toMatchObject({ newsletter: 1 });
  expect(await replay('erase-message', site.audit.ofMessage(single))).toMatchObject({ messages: 1 });
  expect(await replay('erase', other.ofAddress('Eve@example.com'))).toMatchObject({ messages: 1 });
  expect(await replay('rectify', hash)).toEqual({ messages: 0, mentions: 0, newsletter: 0 });
  expect(await database.query('select address, state, suppression_reason from subscribers')).toEqual([
    { address: null, state: 'suppressed', suppression_reason: 'erased' },
  ]);
  expect(await site.store.messages.get(theirs)).toBeDefined();
  for (const reference of [single, foreign]) expect(await site.store.messages.get(reference)).toBeUndefined();
  // Noted under the backup's own key, for the next restore.
  expect(await site.store.privacy.listAudit(site.audit.ofAddress('eve@example.com'))).toMatchObject([
    { action: 'erase', done_at: erasedAt },
  ]);
});

test.each(['requested_at', 'consent_requested_at', 'confirmed_at', 'unsubscribed_at'])(
  'a subscriber whose %s is later stays, and earlier messages are deleted',
  async column => {
    const email = `${column}@example.com`;
    const id = await bringToState(verbDeps(site), email, 'confirmed');
    await database.query(`update subscribers set ${column} = '${after}' where id = '${id}'`);
    const message = await add(email);
    const hash = site.audit.ofAddress(email);
    expect(await replay('erase-newsletter', hash, [email])).toMatchObject({ newsletter: 0 });
    expect(await replay('erase', hash, [email])).toMatchObject({ messages: 1, newsletter: 0 });
    expect(await site.store.messages.get(message)).toBeUndefined();
    expect(await site.store.subscribers.get(id)).toMatchObject({ address: email, state: 'confirmed' });
  },
);

test('a later waiting sign-up stays', async () => {
  const clock = { now: () => new Date(after as string) };
  await requestSubscription(
    { ...verbDeps(site), clock },
    { email: 'gus@example.com', form: 'home', consentTextId: '' },
  );
  const hash = site.audit.ofAddress('gus@example.com');
  expect(await replay('erase', hash, ['gus@example.com'])).toMatchObject({ newsletter: 0 });
  expect(await database.query('select address from sign_ups')).toEqual([{ address: 'gus@example.com' }]);
});
