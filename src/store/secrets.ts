import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export type Secrets = {
  /** The stored value, or `made`, which is then stored. */
  getOrCreate(name: string, made: string, now: string): Promise<string>;
  get(name: string): Promise<string | undefined>;
};

export function createSecrets(db: Kysely<Tables>): Secrets {
  async function get(name: string): Promise<string | undefined> {
    return (await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst())
      ?.value;
  }
  return {
    get,
    async getOrCreate(name, made, now) {
      await db
        .insertInto('secrets')
        .values({ name, value: made, created_at: now })
        .onConflict(conflict => conflict.column('name').doNothing())
        .execute();
      return (await get(name)) as string;
    },
  };
}
