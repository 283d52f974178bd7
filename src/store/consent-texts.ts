import type { Kysely } from 'kysely';
import type { Tables, WordingRow } from './tables.ts';

export type Wordings = {
  /** Existing ones are not changed. */
  keepWordings(wordings: readonly WordingRow[]): Promise<void>;
  getWording(id: string): Promise<WordingRow | undefined>;
};

export function createWordings(db: Kysely<Tables>): Wordings {
  return {
    async keepWordings(wordings) {
      await db
        .insertInto('wordings')
        .values(wordings.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
        .onConflict(conflict => conflict.column('id').doNothing())
        .execute();
    },
    getWording: id => db.selectFrom('wordings').selectAll().where('id', '=', id).executeTakeFirst(),
  };
}
