import { type Kysely, sql, type Transaction } from 'kysely';
import { migrationLock } from './advisory-lock.ts';
import { carriedMigration, carryOver } from './migrations/carry-over.ts';
import { createdTables, createTable } from './migrations/create-tables.ts';
import { type Dialect, isSqlite } from './query-helpers.ts';
import type { Tables } from './tables.ts';

type Migration = { up(db: Transaction<Tables>, dialect: Dialect): Promise<void> };

const nameCreation = (table: string) => `create ${table}`;

/** In the order they are applied. A name, once released, never changes. */
const migrations: Record<string, Migration> = {
  ...Object.fromEntries(
    createdTables.map(table => [
      nameCreation(table),
      { up: db => createTable(db, table) } satisfies Migration,
    ]),
  ),
};

export const migrationNames: readonly string[] = Object.keys(migrations);

/** Why a database with these migrations cannot be opened. */
export function describeMismatch(applied: readonly string[]): string | undefined {
  const unknown = applied.filter(name => !migrationNames.includes(name));
  if (unknown.length === 0 || applied.includes(carriedMigration)) return undefined;
  // Until that day the numbers of migrations began with 0.
  return unknown.some(name => name.startsWith('0'))
    ? 'it is of a version of the site before 19 November 2026: open it with the version of that day first'
    : `it is of a newer version of the site (${unknown.join(', ')})`;
}

export async function migrate(db: Kysely<Tables>): Promise<void> {
  const dialect = isSqlite(db) ? 'sqlite' : 'postgres';
  await db.connection().execute(async connection => {
    await sql.raw(dialect === 'sqlite' ? 'begin immediate' : 'begin').execute(connection);
    try {
      if (dialect === 'postgres')
        await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(connection);
      await applyMissing(connection as Transaction<Tables>, dialect);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

async function applyMissing(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  await sql`create table if not exists migrations (name text primary key, applied_at text not null)`.execute(
    db,
  );
  const found = (await db.selectFrom('migrations').select('name').execute()).map(({ name }) => name);
  const mismatch = describeMismatch(found);
  if (mismatch) throw new Error(`the database cannot be opened, as ${mismatch}`);
  let applied = new Set(found);
  if (applied.has(carriedMigration)) {
    await carryOver(db);
    await db.deleteFrom('migrations').execute();
    applied = new Set(createdTables.map(nameCreation));
    for (const name of applied) await recordMigration(db, name);
  }
  for (const [name, migration] of Object.entries(migrations)) {
    if (applied.has(name)) continue;
    await migration.up(db, dialect);
    await recordMigration(db, name);
  }
}

async function recordMigration(db: Transaction<Tables>, name: string): Promise<void> {
  await db.insertInto('migrations').values({ name, applied_at: new Date().toISOString() }).execute();
}
