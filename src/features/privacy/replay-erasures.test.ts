import { beforeEach, expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { createSiteFixture } from '../../../tests/harness/site-fixture.ts';
import { bringToState, verbDeps } from '../../../tests/harness/subscribers.ts';
import type { ErasureLogRow } from '../../core/database/tables.ts';
import { createHmacSigner } from '../../core/hmac.ts';
import { createErasureHasher } from './erasure-log.ts';
import { replayErasures } from './replay-erasures.ts';

const [before, erasedAt, after] = [1, 2, 3].map(month => `2026-0${month}-01T00:00:00.000Z`);
const other = createErasureHasher(createHmacSigner('the secret of another database'));

const fixture = createSiteFixture((databases[0] as (typeof databases)[0]).create);
beforeEach(() => {
  fixture.now = Date.parse(before as string);
});

async function add(email: string, received_at = before as string): Promise<string> {
  const row = newMessage({ email, received_at, receivers: ['sheet'] });
  await fixture.site.store.messages.add(row);
  return row.reference;
}
function replay(action: ErasureLogRow['action'], hash: string) {
  const { erasureLog, domainDeps } = fixture.site;
  const deps = { ...domainDeps, hashers: [erasureLog, other] };
  return replayErasures(deps, [{ hash, action, done_at: erasedAt as string, counts: '{}' }]);
}

test("newsletter entries, single messages and entries of another database's key are replayed", async () => {
  await bringToState(verbDeps(fixture.site), 'cy@example.com', 'confirmed');
  const [theirs, single, foreign] = await Promise.all(
    ['cy', 'dee', 'eve'].map(one => add(`${one}@example.com`)),
  );
  const { hashAddress, hashReference } = fixture.site.erasureLog;
  const { messages } = fixture.site.store;
  const hash = hashAddress('cy@example.com');
  expect(await replay('erase-newsletter', hash)).toMatchObject({ newsletter: 1 });
  expect(await replay('erase-message', hashReference(single as string))).toMatchObject({ messages: 1 });
  expect(await replay('erase', other.hashAddress('Eve@example.com'))).toMatchObject({ messages: 1 });
  expect(await replay('rectify', hash)).toEqual({ messages: 0, mentions: 0, newsletter: 0, reports: 0 });
  expect(await fixture.query('select address, state, suppression_reason from subscribers')).toEqual([
    { address: null, state: 'suppressed', suppression_reason: 'erased' },
  ]);
  expect(await messages.get(theirs as string)).toBeDefined();
  for (const reference of [single, foreign]) expect(await messages.get(reference as string)).toBeUndefined();
  // Noted under the backup's own key, for the next restore.
  const noted = { action: 'erase', done_at: erasedAt };
  expect(await fixture.site.erasureLog.list(hashAddress('eve@example.com'))).toMatchObject([noted]);
});

test.each(['requested_at', 'consent_requested_at', 'confirmed_at', 'unsubscribed_at'])(
  'a subscriber whose %s is later stays, as do later messages, and earlier ones are deleted',
  async column => {
    const email = `${column}@example.com`;
    const id = await bringToState(verbDeps(fixture.site), email, 'confirmed');
    await fixture.query(`update subscribers set ${column} = '${after}' where id = '${id}'`);
    const [message, later] = [await add(email), await add(email, after)];
    const hash = fixture.site.erasureLog.hashAddress(email);
    expect(await replay('erase-newsletter', hash)).toMatchObject({ newsletter: 0 });
    expect(await replay('erase', hash)).toMatchObject({ messages: 1, newsletter: 0 });
    expect(await fixture.site.store.messages.get(message)).toBeUndefined();
    expect(await fixture.site.store.messages.get(later)).toBeDefined();
    const kept = { address: email, state: 'confirmed' };
    expect(await fixture.site.store.subscribers.get(id)).toMatchObject(kept);
  },
);
