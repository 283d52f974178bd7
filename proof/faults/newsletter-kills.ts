import { openStore, type Store } from '../../src/core/database/open-store.ts';
import { randomIds } from '../../src/core/ids.ts';
import type { FakeSmtpServer } from '../../tests/fakes/smtp-server.ts';
import type { TestDatabase } from '../../tests/harness/databases.ts';
import { copyProject, type StartedProcess } from '../../tests/harness/process.ts';
import { testConfig } from '../../tests/harness/site.ts';
import { subscriberMailSettings } from '../../tests/harness/subscriber-mail.ts';
import { addSubscribers } from '../../tests/harness/subscribers.ts';

export type IssueReport = {
  queueMs: number;
  /** The most memory that any of the processes ever had, in MB, where the system tells. */
  peakMb: number | undefined;
  /** Confirmed subscribers that neither got it nor are listed as unconfirmed. */
  missed: string[];
  twice: string[];
  unconfirmed: string[];
  states: Record<string, number>;
};

/** Kills the sending process `kills` times. Leases are ended by hand after each kill, which saves their two minutes. */
export async function killWhileSending(
  database: TestDatabase,
  smtp: FakeSmtpServer,
  { subscribers, kills }: { subscribers: number; kills: number },
): Promise<IssueReport> {
  await using copy = copyProject();
  const store = await openStore({ ...testConfig(database.env), onError: () => undefined });
  await addConfirmed(database, subscribers);
  const { issue, queueMs } = await queueIssue(store);
  // The address that the build was made for, so that no process begins with a build.
  const env = { ...database.env, ...subscriberMailSettings(smtp, ''), NOTIFY_EMAIL: 'owner@localhost' };
  let peakMb: number | undefined;

  for (let round = 0; round < kills; round += 1) {
    const server = copy.start(env);
    const share = smtp.mails.length + (subscribers - smtp.mails.length) / (kills - round + 1);
    await waitUntil(() => smtp.mails.length >= share, server);
    peakMb = Math.max(peakMb ?? 0, (await readPeak(server)) ?? 0) || undefined;
    server.child.kill('SIGKILL');
    await server.ended;
    await database.query("update deliveries set lease_until = '2000' where state = 'sending'");
  }
  const last = copy.start(env);
  await waitUntil(async () => {
    const { waiting, sending } = await store.newsletterIssues.count(issue);
    return waiting + sending === 0;
  }, last);
  peakMb = Math.max(peakMb ?? 0, (await readPeak(last)) ?? 0) || undefined;
  last.child.kill('SIGTERM');
  await last.ended;

  const unconfirmed = await store.newsletterIssues.listDeliveries(issue, ['unconfirmed'], subscribers);
  const report = {
    ...compareMails(smtp, subscribers, new Set(unconfirmed.map(({ address }) => address ?? ''))),
    states: await store.newsletterIssues.count(issue),
    queueMs,
    peakMb,
  };
  await store.close();
  return report;
}

async function addConfirmed(database: TestDatabase, subscribers: number): Promise<void> {
  const now = new Date().toISOString();
  const rows = Array.from({ length: subscribers }, (_, index) => ({
    ...{ id: `reader-${index}`, address: addressOf(index), state: 'confirmed' as const },
    ...{ form: 'home', consent_text: 'w', consent_requested_at: now, confirmed_at: now },
  }));
  await addSubscribers(database, rows);
}

async function queueIssue(store: Store): Promise<{ issue: string; queueMs: number }> {
  const issue = randomIds.reference();
  const paragraph = '<p>What is new, what it means, and the one thing worth doing about it.</p>';
  const started = performance.now();
  await store.newsletterIssues.queue({
    ...{ reference: issue, name: 'the-issue', hash: 'd', subject: 'The issue' },
    html: `<html><body>${paragraph.repeat(50)}<a href="{{leave}}">Leave</a></body></html>`,
    text: 'What is new.\n\n{{leave}}\n',
    queued_at: new Date().toISOString(),
  });
  return { issue, queueMs: performance.now() - started };
}

/** By what the mail server kept, whatever the database says. */
function compareMails(smtp: FakeSmtpServer, subscribers: number, unconfirmed: Set<string>) {
  const got = new Map<string, number>();
  for (const { to } of smtp.mails) for (const one of to) got.set(one, (got.get(one) ?? 0) + 1);
  const all = Array.from({ length: subscribers }, (_, index) => addressOf(index));
  return {
    missed: all.filter(address => !got.has(address) && !unconfirmed.has(address)),
    twice: [...got].filter(([, count]) => count > 1).map(([address]) => address),
    unconfirmed: [...unconfirmed],
  };
}

function addressOf(index: number): string {
  return `subscriber-${index}@example.com`;
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

async function readPeak({ child }: StartedProcess): Promise<number | undefined> {
  const { readFile } = await import('node:fs/promises');
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
  return kilobytes ? Number(kilobytes) / 1024 : undefined;
}
