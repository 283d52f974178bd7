import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { openPool } from './postgres.ts';

test('a connection that the server ends fails what used it, is reported, and is replaced', async () => {
  const lost: string[] = [];
  const db = openPool(`${inject('postgresUrl')}/postgres`, { max: 2 }, error => lost.push(error.message));
  const working = db.transaction().execute(async transaction => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
    await expect.poll(() => lost.length).toBeGreaterThan(0);
    await sql`select 1`.execute(transaction);
  });
  await expect(working).rejects.toThrow();
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
});

test('a connection that did not answer in time is not used again: what it was asked may yet happen', async () => {
  const url = `${inject('postgresUrl')}/postgres`;
  const db = openPool(url, { max: 1, query_timeout: 300 }, error => expect.unreachable(error.message));
  const pid = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
  const before = await pid();
  await expect(sql`select pg_sleep(1)`.execute(db)).rejects.toThrow('Query read timeout');
  expect(await pid()).not.toBe(before);
  await db.destroy();
});
