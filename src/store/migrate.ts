import { type Kysely, sql, type Transaction } from 'kysely';
import { migrationLock } from './advisory-lock.ts';
import * as messages from './migrations/001-messages.ts';
import * as outbox from './migrations/002-outbox.ts';
import * as newsletter from './migrations/003-newsletter.ts';
import * as desk from './migrations/004-desk.ts';
import * as hashedKeys from './migrations/007-hashed-keys.ts';
import * as newsletterNetworks from './migrations/008-newsletter-networks.ts';
import * as refusals from './migrations/010-refusals.ts';
import * as dropViews from './migrations/011-drop-views.ts';
import * as importNetwork from './migrations/012-import-network.ts';
import * as honeypotReasons from './migrations/013-honeypot-reasons.ts';
import * as usualNames from './migrations/014-usual-names.ts';
import * as failedState from './migrations/015-failed-state.ts';
import * as messageStates from './migrations/016-message-states.ts';
import * as columnNames from './migrations/017-column-names.ts';
import * as audits from './migrations/018-audits.ts';
import * as searchTexts from './migrations/019-search-texts.ts';
import * as searchColumn from './migrations/020-search-column.ts';
import { type Dialect, isSqlite } from './query-helpers.ts';
import type { Tables } from './tables.ts';

type Migration = { up(db: Transaction<Tables>, dialect: Dialect): Promise<void> };

/** In the order they are applied. A name, once released, never changes. */
const migrations: Record<string, Migration> = {
  '001-messages': messages,
  '002-outbox': outbox,
  '003-newsletter': newsletter,
  '004-desk': desk,
  // Migration 011 dropped the table that this one created.
  '005-views': { up: async () => undefined },
  '007-hashed-keys': hashedKeys,
  '008-newsletter-networks': newsletterNetworks,
  '010-refusals': refusals,
  '011-drop-views': dropViews,
  '012-import-network': importNetwork,
  '013-honeypot-reasons': honeypotReasons,
  '014-usual-names': usualNames,
  '015-failed-state': failedState,
  '016-message-states': messageStates,
  '017-column-names': columnNames,
  '018-audits': audits,
  '019-search-texts': searchTexts,
  '020-search-column': searchColumn,
};

export const migrationNames: readonly string[] = Object.keys(migrations);

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
  const applied = new Set((await db.selectFrom('migrations').select('name').execute()).map(row => row.name));
  const unknown = [...applied].filter(name => !(name in migrations));
  if (unknown.length > 0) {
    throw new Error(`The database is newer than this version of the site: it has ${unknown.join(', ')}`);
  }
  for (const [name, migration] of Object.entries(migrations)) {
    if (applied.has(name)) continue;
    await migration.up(db, dialect);
    await db.insertInto('migrations').values({ name, applied_at: new Date().toISOString() }).execute();
  }
}
