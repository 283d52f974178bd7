import type { Fixture } from '../fixture.ts';
import { changeWhenLoaded } from '../plant.ts';

/** A slow database with smaller groups, so that one machine can send ten times its capacity. The rest is as fast as ever. */
const messageMs = 40;
export const groupSize = 32;

const together = 'function runInTransaction(queries: Query[]): Result[] {\n';

export const slowEnv = changeWhenLoaded(
  {
    file: 'src/core/database/group-commit.ts',
    place: ': 128,',
    instead: `: ${groupSize},`,
  },
  {
    // SQLite has no way to wait, so its thread does it.
    file: 'src/core/database/sqlite-thread.ts',
    place: together,
    instead: `${together}  if (queries[0]?.sql.startsWith('insert into "messages"')) {
    const count = JSON.parse(String(queries[0].values[0])).length;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${messageMs} * count);
  }\n`,
  },
);

export async function slowDown({ database, databaseName }: Fixture): Promise<void> {
  if (databaseName === 'SQLite') return;
  await database.query(`create function be_slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(${messageMs / 1000}); return null; end $$`);
  await database.query(
    'create trigger slow after insert on messages for each row execute function be_slow()',
  );
}

export async function speedUp({ database, databaseName }: Fixture): Promise<void> {
  if (databaseName === 'PostgreSQL') await database.query('drop trigger slow on messages');
}
