import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { openTestStore } from '../../../tests/harness/stores.ts';
import { openPool } from './postgres.ts';

const url = `${process.env.TEST_POSTGRES_URL}/postgres`;
const getPid = async (db: ReturnType<typeof openPool>) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;

test('a connection that the server closes fails its query, is reported, and is replaced', async () => {
  const lost: string[] = [];
  const db = openPool(url, { max: 2 }, error => lost.push(error.message));
  const working = db.transaction().execute(async transaction => {
    await sql`select pg_terminate_backend(${await getPid(transaction)})`.execute(db);
    await expect.poll(() => lost.length).toBeGreaterThan(0);
    await sql`select 1`.execute(transaction);
  });
  await expect(working).rejects.toThrow();
  expect(await getPid(db)).toBeGreaterThan(0);
  await db.destroy();
});

test('a connection whose query timed out is not reused: the query may still run', async () => {
  const db = openPool(url, { max: 1, query_timeout: 300 }, error => expect.unreachable(error.message));
  const before = await getPid(db);
  await expect(sql`select pg_sleep(2)`.execute(db)).rejects.toThrow('Query read timeout');
  expect(await getPid(db)).not.toBe(before);
  await db.destroy();
});

test('removing messages locks them in order, which prevents deadlocks', async () => {
  await using database = await (databases[1] as (typeof databases)[number]).create();
  const { dataDir, env } = database;
  const onError = (error: Error) => expect.unreachable(error.message);
  const store = await openTestStore({ dataDir, databaseUrl: env.DATABASE_URL, onError });
  const other = openPool(env.DATABASE_URL as string, { max: 1 }, onError);
  const [first, second] = ['AAAAA-00000', 'BBBBB-00000'];
  // In another order on the disk.
  for (const reference of [second, first]) await store.messages.add(newMessage({ reference }));
  const removing = await other.transaction().execute(async transaction => {
    await sql`select 1 from messages where reference = ${first} for update`.execute(transaction);
    const both = store.messages.deleteExpiredMessages([second, first]);
    const waiting = sql<{ n: string }>`select count(*) as n from pg_locks where not granted
      and pid in (select pid from pg_stat_activity where datname = current_database())`;
    await expect.poll(async () => (await waiting.execute(transaction)).rows[0]?.n).toBe('1');
    await sql`select 1 from messages where reference = ${second} for update nowait`.execute(transaction);
    return { both };
  });
  expect(await removing.both).toMatchObject({ messages: 2 });
  await other.destroy();
  await store.close();
});
