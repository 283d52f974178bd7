import { beforeEach, expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { createSiteFixture } from '../../../tests/harness/site-fixture.ts';
import { bringToState, verbDeps } from '../../../tests/harness/subscribers.ts';
import { createHmacSigner } from '../../lib/hmac.ts';
import type { AuditRow } from '../../store/tables.ts';
import { createAuditHasher } from '../privacy/audit-hasher.ts';
import { replayErasures } from './replay-erasures.ts';

const [before, erasedAt, after] = ['2026-01-01', '2026-02-01', '2026-03-01'].map(
  day => `${day}T00:00:00.000Z`,
);
const other = createAuditHasher(createHmacSigner('the secret of another database'));

const fixture = createSiteFixture((databases[0] as (typeof databases)[0]).create);
beforeEach(() => {
  fixture.now = Date.parse(before as string);
});

async function add(email: string, received_at = before as string): Promise<string> {
  const row = newMessage({ email, received_at, receivers: ['sheet'] });
  await fixture.site.store.messages.add(row);
  return row.reference;
}
function replay(action: AuditRow['action'], hash: string, subscribed: string[] = []) {
  const { privacy, subscribers } = fixture.site.store;
  const deps = {
    privacy,
    subscribers,
    newsletterKeys: fixture.site.newsletter.keys,
    hashers: [fixture.site.auditHasher, other],
  };
  return replayErasures(deps, [{ hash, action, done_at: erasedAt as string, counts: '{}' }], subscribed);
}

test("newsletter entries, single messages and entries of another database's key are replayed", async () => {
  await bringToState(verbDeps(fixture.site), 'cy@example.com', 'confirmed');
  const [theirs, single, foreign] = [
    await add('cy@example.com'),
    await add('dee@example.com'),
    await add('eve@example.com'),
  ];
  const hash = fixture.site.auditHasher.hashAddress('cy@example.com');
  expect(await replay('erase-newsletter', hash, ['cy@example.com'])).toMatchObject({ newsletter: 1 });
  expect(await replay('erase-message', fixture.site.auditHasher.hashReference(single))).toMatchObject({
    messages: 1,
  });
  expect(await replay('erase', other.hashAddress('Eve@example.com'))).toMatchObject({ messages: 1 });
  expect(await replay('rectify', hash)).toEqual({ messages: 0, mentions: 0, newsletter: 0 });
  expect(await fixture.query('select address, state, suppression_reason from subscribers')).toEqual([
    { address: null, state: 'suppressed', suppression_reason: 'erased' },
  ]);
  expect(await fixture.site.store.messages.get(theirs)).toBeDefined();
  for (const reference of [single, foreign])
    expect(await fixture.site.store.messages.get(reference)).toBeUndefined();
  // Noted under the backup's own key, for the next restore.
  expect(
    await fixture.site.store.privacy.listAudit(fixture.site.auditHasher.hashAddress('eve@example.com')),
  ).toMatchObject([{ action: 'erase', done_at: erasedAt }]);
});

test.each(['requested_at', 'consent_requested_at', 'confirmed_at', 'unsubscribed_at'])(
  'a subscriber whose %s is later stays, as do later messages, and earlier ones are deleted',
  async column => {
    const email = `${column}@example.com`;
    const id = await bringToState(verbDeps(fixture.site), email, 'confirmed');
    await fixture.query(`update subscribers set ${column} = '${after}' where id = '${id}'`);
    const [message, later] = [await add(email), await add(email, after)];
    const hash = fixture.site.auditHasher.hashAddress(email);
    expect(await replay('erase-newsletter', hash, [email])).toMatchObject({ newsletter: 0 });
    expect(await replay('erase', hash, [email])).toMatchObject({ messages: 1, newsletter: 0 });
    expect(await fixture.site.store.messages.get(message)).toBeUndefined();
    expect(await fixture.site.store.messages.get(later)).toBeDefined();
    expect(await fixture.site.store.subscribers.get(id)).toMatchObject({
      address: email,
      state: 'confirmed',
    });
  },
);
