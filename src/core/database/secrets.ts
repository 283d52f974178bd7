import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export function createSecrets(db: Kysely<Tables>) {
  async function get(name: string): Promise<string | undefined> {
    return (await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst())
      ?.value;
  }
  return {
    get,
    async getOrCreate(name: string, initialValue: string, now: string): Promise<string> {
      await db
        .insertInto('secrets')
        .values({ name, value: initialValue, created_at: now })
        .onConflict(conflict => conflict.column('name').doNothing())
        .execute();
      return (await get(name)) as string;
    },
  };
}
