import { type Kysely, sql } from 'kysely';
import { migrationLock } from './advisory-lock.ts';
import type { Tables } from './tables.ts';

/** At every start, because the extension may be allowed later. Returns why there is none. */
export async function createTrigramIndex(db: Kysely<Tables>): Promise<string[]> {
  try {
    await db.transaction().execute(async transaction => {
      await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction);
      const { rows } = await sql<{ id: number | null }>`
        select to_regclass('search_texts_trigrams') as id`.execute(transaction);
      if (rows[0]?.id) return;
      await sql`create extension if not exists pg_trgm`.execute(transaction);
      await sql`create index search_texts_trigrams on search_texts using gin (text gin_trgm_ops)`.execute(
        transaction,
      );
    });
    return [];
  } catch (error) {
    return [`the extension pg_trgm cannot be used (${(error as Error).message})`];
  }
}
