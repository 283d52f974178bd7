import { describe, expect, test } from 'vitest';
import { randomIds } from '../../src/core/ids.ts';
import { createSmtpServer, type FakeSmtpServer } from '../../tests/fakes/smtp-server.ts';
import { databases } from '../../tests/harness/databases.ts';
import { copyProject, type StartedProcess } from '../../tests/harness/process.ts';
import { testConfig } from '../../tests/harness/site.ts';
import { openTestStore } from '../../tests/harness/stores.ts';
import { subscriberMailSettings } from '../../tests/harness/subscriber-mail.ts';
import { addSubscribers } from '../../tests/harness/subscribers.ts';

const kills = 3;
const addresses = Array.from({ length: 10_000 }, (_, index) => `subscriber-${index}@example.com`);

describe.each(databases)('an issue for 10,000 subscribers on $name', ({ name, create }) => {
  test(`reaches every subscriber at most once through ${kills} kills, and misses none`, async () => {
    await using database = await create();
    await using smtp = await createSmtpServer();
    await using copy = copyProject();
    const store = await openTestStore({ ...testConfig(database.env), onError: () => undefined });
    const now = new Date().toISOString();
    const consent = { form: 'home', consent_text: 'w', consent_requested_at: now, confirmed_at: now };
    await addSubscribers(
      database,
      addresses.map((address, index) => ({
        id: `reader-${index}`,
        address,
        state: 'confirmed' as const,
        ...consent,
      })),
    );
    const issue = randomIds.reference();
    const paragraph = '<p>What is new, what it means, and the one thing worth doing about it.</p>';
    await store.newsletterIssues.queue({
      reference: issue,
      name: 'the-issue',
      hash: 'd',
      subject: 'The issue',
      html: `<html><body>${paragraph.repeat(50)}<a href="{{leave}}">Leave</a></body></html>`,
      text: 'What is new.\n\n{{leave}}\n',
      queued_at: now,
    });
    // The address that the build was made for, so that no process begins with a build.
    const env = { ...database.env, ...subscriberMailSettings(smtp, ''), NOTIFY_EMAIL: 'owner@localhost' };
    for (let round = 0; round < kills; round += 1) {
      const server = copy.start(env);
      const share = smtp.mails.length + (addresses.length - smtp.mails.length) / (kills - round + 1);
      await waitUntil(() => smtp.mails.length >= share, server);
      server.child.kill('SIGKILL');
      await server.ended;
      // Ended by hand, which saves the two minutes of a lease.
      await database.query("update deliveries set lease_until = '2000' where state = 'sending'");
    }
    const last = copy.start(env);
    await waitUntil(async () => {
      const { waiting, sending } = await store.newsletterIssues.count(issue);
      return waiting + sending === 0;
    }, last);
    last.child.kill('SIGTERM');
    await last.ended;

    const listed = await store.newsletterIssues.listDeliveries(issue, ['unconfirmed'], addresses.length);
    const unconfirmed = new Set(listed.map(({ address }) => address ?? ''));
    const { delivered, failed } = await store.newsletterIssues.count(issue);
    expect({ ...compareMails(smtp, unconfirmed), failed }).toEqual({ missed: [], twice: [], failed: 0 });
    expect(unconfirmed.size).toBeLessThanOrEqual(kills * 5);
    expect(delivered).toBe(addresses.length - unconfirmed.size);
    await store.close();
    process.stdout.write(`${name}: ${smtp.mails.length} mails, ${unconfirmed.size} unconfirmed\n`);
  });
});

/** By what the mail server kept, whatever the database says. */
function compareMails(smtp: FakeSmtpServer, unconfirmed: Set<string>) {
  const got = new Map<string, number>();
  for (const { to } of smtp.mails) for (const one of to) got.set(one, (got.get(one) ?? 0) + 1);
  return {
    missed: addresses.filter(address => !got.has(address) && !unconfirmed.has(address)),
    twice: [...got].filter(([, count]) => count > 1).map(([address]) => address),
  };
}

/** A process that ended by itself is a failure, and not something to wait for. */
async function waitUntil(isSo: () => boolean | Promise<boolean>, server: StartedProcess): Promise<void> {
  let end: number | null | undefined;
  server.ended.then(code => {
    end = code;
  });
  while (!(await isSo())) {
    if (end !== undefined) throw new Error(`the server ended with ${end}: ${server.output()}`);
    await new Promise(done => setTimeout(done, 10));
  }
}
