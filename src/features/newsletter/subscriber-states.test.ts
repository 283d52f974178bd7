import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../tests/harness/databases.ts';
import { openTwoStores } from '../../../tests/harness/stores.ts';
import type { SignUpRow, SubscriberRow } from '../../core/database/tables.ts';
import { randomIds } from '../../core/ids.ts';
import { confirmByTokenHash } from './confirm-subscriber.ts';
import { eraseSubscriberById } from './erase-subscriber-rows.ts';
import { expirePendingRows } from './expire-pending-subscribers.ts';
import { processBatch } from './process-sign-up-batch.ts';
import { suppressSubscriberById, unsuppressById } from './suppress-subscriber.ts';
import { unsubscribeSubscriberById } from './unsubscribe.ts';

/** A time, so many days after the beginning of the test. */
const at = (days: number) => new Date(Date.UTC(2026, 0, 2) + days * 24 * 3_600_000).toISOString();

describe.each(databaseUnderTest)('subscribers on $name', async ({ create }) => {
  const { database, store, other, close } = await openTwoStores(create);
  afterAll(close);
  let id: string;

  beforeEach(async () => {
    id = randomIds.uuid();
    for (const table of ['deliveries', 'sign_ups', 'subscribers', 'tokens'])
      await database.query(`delete from ${table}`);
  });

  const get = async () => (await store.subscribers.get(id)) as SubscriberRow;

  const addSignUp = (about: Partial<SignUpRow> = {}) =>
    store.signUps.add({
      ...{ id: randomIds.uuid(), subscriber: id, address: 'ada@example.com', form: 'home' },
      ...{ consent_text: 'w1', requested_at: at(0), network: 'unknown' },
      ...about,
    });

  /** Makes it pending, with a token that is valid for a week. */
  async function ask(days: number): Promise<void> {
    await addSignUp({ requested_at: at(days) });
    await processBatch(store.subscribers, {
      ...{ now: at(days), notMailedSince: at(days), countedSince: at(days), maxPerHour: 9, maxSignUps: 9 },
      reference: randomIds.reference,
      mailboxPseudonym: () => id,
      maxPerDomain: 9,
      getRegistrableDomain: host => host,
    });
    await addToken(`token of ${id}`, days + 7);
  }

  const addToken = (hash: string, expiresAfterDays: number) =>
    store.subscribers.addToken({ hash, subscriber: id, expires_at: at(expiresAfterDays) });

  const steps: Record<string, (days: number) => Promise<unknown>> = {
    ask,
    confirm: days => confirmByTokenHash(store.subscribers, `token of ${id}`, at(days)),
    leave: days => unsubscribeSubscriberById(store.subscribers, id, at(days)),
    bounce: days => suppressSubscriberById(store.subscribers, id, 'bounce', at(days)),
    complaint: days => suppressSubscriberById(store.subscribers, id, 'complaint', at(days)),
    owner: days => suppressSubscriberById(store.subscribers, id, 'owner', at(days)),
    lift: days => unsuppressById(store.subscribers, id, at(days)),
    erase: days => eraseSubscriberById(store.subscribers, id, at(days)),
    purge: days => expirePendingRows(store.subscribers, new Date(at(days + 20))),
  };

  /** One step a day. Returns the result of the last. */
  async function run(names: string): Promise<unknown> {
    let result: unknown;
    for (const [days, name] of names.split(' ').entries()) result = await steps[name]?.(days);
    return result;
  }

  async function countOf(table: string): Promise<number> {
    const [row] = await database.query(`select count(*) as n from ${table} where subscriber = '${id}'`);
    return Number(row?.n);
  }

  const firstConsent = { form: 'home', consent_text: 'w1', consent_requested_at: at(0), confirmed_at: at(1) };
  const erased: Partial<SubscriberRow> = {
    ...{ address: null, request_form: '', request_consent_text: '', requested_at: null, mailed_at: null },
    ...{ form: '', consent_text: '', consent_requested_at: null, confirmed_at: null, unsubscribed_at: null },
    ...{ state: 'suppressed', suppression_reason: 'erased' },
  };
  const suppressed = (suppression_reason: SubscriberRow['suppression_reason'], days: number) =>
    ({ state: 'suppressed', suppressed_at: at(days), suppression_reason }) as const;

  test.each<[string, Partial<SubscriberRow>]>([
    ['ask confirm confirm', { state: 'confirmed', ...firstConsent }],
    ['ask leave', { state: 'unsubscribed', unsubscribed_at: at(1), address: 'ada@example.com' }],
    ['ask confirm leave leave', { state: 'unsubscribed', unsubscribed_at: at(2) }],
    // Anyone can sign up with another person's address: the earlier consent stays unchanged.
    ['ask confirm leave ask', { state: 'pending', ...firstConsent, unsubscribed_at: at(2) }],
    ['ask confirm leave ask leave', { state: 'unsubscribed', unsubscribed_at: at(2) }],
    ['ask confirm leave ask confirm', { state: 'confirmed', confirmed_at: at(4), unsubscribed_at: null }],
    ['ask owner leave', { ...suppressed('owner', 1), unsubscribed_at: null }],
    ['ask confirm bounce leave lift', { state: 'unsubscribed', unsubscribed_at: at(3) }],
    ['ask confirm bounce lift', { state: 'confirmed', suppressed_at: null, suppression_reason: '' }],
    ['ask confirm complaint lift', { state: 'unsubscribed', unsubscribed_at: at(3) }],
    ['ask bounce lift', { state: 'unsubscribed', unsubscribed_at: at(2) }],
    ['ask confirm leave owner lift', { state: 'unsubscribed', unsubscribed_at: at(2) }],
    ['ask confirm lift', { state: 'confirmed', unsubscribed_at: null }],
    ['ask confirm bounce complaint', suppressed('complaint', 3)],
    ['ask confirm complaint bounce', suppressed('complaint', 2)],
    ['bounce', { address: null, ...suppressed('bounce', 0) }],
    ['ask confirm leave ask erase', { ...erased, suppressed_at: at(4) }],
    ['ask owner erase', { ...erased, ...suppressed('owner', 1) }],
    ['ask confirm erase ask leave', { ...erased, suppressed_at: at(2) }],
    ['ask confirm erase ask purge', { ...erased, suppressed_at: at(2) }],
    ['ask confirm erase ask confirm', { state: 'confirmed', suppressed_at: null, suppression_reason: '' }],
    ['ask confirm leave ask purge', { state: 'unsubscribed', ...firstConsent, unsubscribed_at: at(2) }],
    ['ask owner purge', { address: null, ...suppressed('owner', 1) }],
    ['ask confirm bounce purge', { address: 'ada@example.com', ...suppressed('bounce', 2), ...firstConsent }],
    ['ask confirm leave ask bounce purge', { ...suppressed('bounce', 4), unsubscribed_at: at(2) }],
  ])('after %s', async (names, expected) => {
    await run(names);
    expect(await get()).toMatchObject(expected);
    if (!/(ask|purge)$/.test(names)) expect(await countOf('tokens')).toBe(0);
  });

  test.each(['ask purge', 'bounce lift', 'leave', 'erase', 'lift'])(
    'after %s nothing is stored',
    async names => {
      await run(names);
      expect(await get()).toBeUndefined();
      expect(await Promise.all(['sign_ups', 'tokens', 'deliveries'].map(countOf))).toEqual([0, 0, 0]);
    },
  );

  test.each(['ask confirm', 'ask leave', 'ask owner'])(
    'a token that is left over confirms no one after %s',
    async names => {
      await run(names);
      const before = await get();
      await addToken(`left ${id}`, 9);
      expect(await confirmByTokenHash(store.subscribers, `left ${id}`, at(3))).toBe(false);
      expect(await get()).toEqual(before);
    },
  );

  test.each(['leave', 'erase'] as const)('%s removes waiting sign-ups and queued mail', async step => {
    await ask(0);
    await addSignUp();
    await steps[step]?.(1);
    expect([await countOf('sign_ups'), await countOf('tokens')]).toEqual([0, 0]);
    const queued = await database.query(`select state from deliveries where subscriber = '${id}'`);
    expect(queued).toEqual(step === 'leave' ? [{ state: 'cancelled' }] : []);
  });

  test('a purge waits for a mail that was sent late, and for imported addresses to be mailed', async () => {
    const purge = (days: number, by = store) => expirePendingRows(by.subscribers, new Date(at(days)));
    await ask(0);
    await addToken(`late ${id}`, 10);
    await addSignUp({ subscriber: `waiting ${id}` });
    await addSignUp({ subscriber: `listed ${id}`, form: 'import', network: 'import' });
    expect(await purge(8)).toBe(0);
    const states = await store.subscribers.findStates([id, `waiting ${id}`, `listed ${id}`]);
    expect([...states.keys()].sort()).toEqual([id, `listed ${id}`].sort());
    expect((await Promise.all([purge(10), purge(10, other)])).sort()).toEqual([0, 1]);
    expect(await get()).toBeUndefined();
  });

  test('consent texts are stored once and never changed', async () => {
    const consentText = { id, text: 'Once a month.', first_used_at: at(0) };
    await Promise.all([store, other].map(by => by.consentTexts.saveNew([consentText])));
    await store.consentTexts.saveNew([{ ...consentText, text: 'Daily.', first_used_at: at(1) }]);
    expect(await store.consentTexts.get(id)).toEqual(consentText);
  });
});
