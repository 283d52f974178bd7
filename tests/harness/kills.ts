import { openStore } from '../../src/store/open.ts';
import type { TestDatabase } from './databases.ts';
import { copyProject } from './process.ts';
import { testConfig } from './site.ts';

export type KillReport = { acknowledged: string[]; lost: string[]; integrity: unknown };

/** Starts the server again and again, and kills it each time while many clients post. What was promised is looked up. */
export async function killUnderLoad(database: TestDatabase, rounds: number): Promise<KillReport> {
  await using copy = copyProject();
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = copy.start(database.env);
    const address = await server.address();
    const clients = Array.from({ length: 16 }, () => postUntilCut(address, acknowledged));
    let isCut = false;
    const cut = Promise.all(clients).then(() => {
      isCut = true;
    });
    // Well under way, however slow this machine is, and then at any moment.
    const enough = acknowledged.length + 10;
    while (acknowledged.length < enough && !isCut) await pass(10);
    await pass(Math.random() * 400);
    server.child.kill('SIGKILL');
    await cut;
    await server.ended;
  }
  const store = await openStore({ ...testConfig(database.env), onError: () => undefined });
  const lost: string[] = [];
  for (const reference of acknowledged) {
    const isStored = await store.messages.get(reference);
    // To the sheet and to the mailbox, which need no settings.
    if (!isStored || (await store.outbox.count({ reference })) !== 2) lost.push(reference);
  }
  await store.close();
  return {
    acknowledged,
    lost,
    integrity: await checkIntegrity(database),
  };
}

function pass(ms: number): Promise<void> {
  return new Promise(done => setTimeout(done, ms));
}

/** What the database itself says of its tables and indexes: 'ok', or what it found wrong. */
async function checkIntegrity({ env, query }: TestDatabase): Promise<unknown> {
  if (!env.DATABASE_URL) return (await query('PRAGMA integrity_check'))[0]?.integrity_check;
  await query('create extension if not exists amcheck');
  // Each index against its table; amcheck throws at the first entry that is missing or out of order.
  const checked = await query(
    `select bt_index_check(index => indexrelid, heapallindexed => true) from pg_index
     where indrelid in ('messages'::regclass, 'deliveries'::regclass)`,
  );
  return checked.length > 0 ? 'ok' : 'no index was checked';
}

async function postUntilCut(address: string, acknowledged: string[]): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(`${address}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ message: 'before the kill' }),
      });
      if (response.status !== 200) return;
      const { reference } = (await response.json()) as { reference: string };
      acknowledged.push(reference);
    } catch {
      // The connection was cut: this message was not acknowledged, and nothing is promised of it.
      return;
    }
  }
}
