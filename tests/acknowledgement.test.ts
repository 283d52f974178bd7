import { beforeEach, describe, expect, test } from 'vitest';
import { claimAcknowledgement } from '../src/features/messages/acknowledge-message.ts';
import type { NewMessage } from '../src/features/messages/messages.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';
import { json } from './harness/requests.ts';
import { newMessage } from './harness/sample-message.ts';
import { createSiteFixture } from './harness/site-fixture.ts';
import { bringToState, verbDeps } from './harness/subscribers.ts';

const owner = 'owner@wardhouse.example';
const hour = 3_600_000;

describe.each(databaseUnderTest)('an acknowledgement on $name', async ({ create }) => {
  const env: Record<string, string> = { ACKNOWLEDGEMENT: 'on', NOTIFY_EMAIL: owner, RATE_LIMIT: 'on' };
  const smtp = await disposeAfterAll(createSmtpServer());
  env.SMTP_URL = smtp.url;
  const fixture = createSiteFixture(create, { env, emptied: ['messages', 'deliveries', 'subscribers'] });
  beforeEach(() => void smtp.mails.splice(0));

  const post = (fields: Record<string, string>) => fixture.fetch(json(fields), { ip: '127.0.0.1' });
  const queued = async () =>
    (await fixture.query("select * from deliveries where receiver = 'acknowledgements'")).length;

  test('reaches the visitor after the message is stored, with its reference and nothing that they wrote', async () => {
    const words = { name: 'Eve Buypills', message: 'Visit spam.example now', service: 'Data Security' };
    const response = await post({ ...words, email: ' Eve@Example.com ' });
    const { reference } = (await response.json()) as { reference: string };
    expect(await queued()).toBe(1);
    await fixture.site.worker.start();
    // The owner's notification is another mail.
    await expect.poll(() => smtp.mails.map(({ to }) => to[0]).sort()).toEqual(['Eve@example.com', owner]);
    const mail = smtp.mails.find(({ to }) => to[0] !== owner);
    expect(mail?.header('Auto-Submitted')).toBe('auto-replied');
    expect(mail?.header('Subject')).toBe('We have received your message');
    expect(mail?.header('Message-ID')).toBe(`<acknowledgement-${reference}@wardhouse.example>`);
    for (const part of [reference, '020 7946 0123']) expect(mail?.text).toContain(part);
    for (const part of ['Buypills', 'spam.example', 'Data Security']) expect(mail?.raw).not.toContain(part);
    await expect
      .poll(() => fixture.query("select state from deliveries where state <> 'delivered'"))
      .toEqual([]);
  });

  test('is not queued for a message without an address, an empty one and a quarantined one', async () => {
    const spam = { message: 'x'.repeat(20), w4e: 'https://spam.example', email: 'eve@example.com' };
    for (const fields of [{ message: 'Hello' }, { email: 'a@localhost', message: 'Hello' }, {}, spam])
      expect((await post(fields)).status).toBe(200);
    expect(await fixture.query('select state from messages order by state')).toEqual(
      ['empty', 'new', 'new', 'quarantined'].map(state => ({ state })),
    );
    expect(await queued()).toBe(0);
  });

  const claim = async (about: Partial<NewMessage> = {}) => {
    const received_at = fixture.clock.now().toISOString();
    const message = newMessage({ received_at, receivers: ['acknowledgements'], ...about });
    await fixture.site.store.messages.add(message);
    const { core, clock } = fixture.site;
    const attempt = () => claimAcknowledgement(core, message);
    const settle = (state: string) =>
      fixture.query(
        `update deliveries set state = '${state}', settled_at = '${clock.now().toISOString()}' where reference = '${message.reference}'`,
      );
    return { to: await attempt(), attempt, settle };
  };

  test('goes to a mailbox once in 24 hours, whatever its spelling, and is retried', async () => {
    const first = await claim({ email: 'z.oe+a@gmail.com' });
    expect([first.to, await first.attempt()]).toEqual(['z.oe+a@gmail.com', 'z.oe+a@gmail.com']);
    expect((await claim({ email: 'ZOE@gmail.com' })).to).toBeUndefined();
    expect((await claim({ email: 'ann@example.com' })).to).toBe('ann@example.com');
    await first.settle('delivered');
    fixture.now += 23 * hour;
    expect((await claim({ email: 'zoe@gmail.com' })).to).toBeUndefined();
    fixture.now += 2 * hour;
    const next = await claim({ email: 'zoe@gmail.com' });
    expect(next.to).toBe('zoe@gmail.com');
    // Marked as spam before it was sent.
    await next.settle('cancelled');
    expect((await claim({ email: 'zoe@gmail.com' })).to).toBe('zoe@gmail.com');
  });

  test('goes to no suppressed address, for no message that is a day old, and for none that is answered', async () => {
    await bringToState(verbDeps(fixture.site), 'bob@example.com', 'bounce');
    expect((await claim({ email: 'bob@example.com' })).to).toBeUndefined();
    const dayOld = new Date(fixture.now - 24 * hour - 1).toISOString();
    // As after a release from quarantine.
    expect((await claim({ received_at: dayOld })).to).toBeUndefined();
    expect((await claim({ state: 'answered' })).to).toBeUndefined();
    expect((await claim({ email: 'not an address' })).to).toBeUndefined();
    expect((await claim()).to).toBe('zoe@example.com');
  });
});
