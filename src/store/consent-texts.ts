import type { Kysely } from 'kysely';
import type { ConsentTextRow, Tables } from './tables.ts';

export type ConsentTexts = {
  /** Existing ones are not changed. */
  saveNew(texts: readonly ConsentTextRow[]): Promise<void>;
  get(id: string): Promise<ConsentTextRow | undefined>;
};

export function createConsentTexts(db: Kysely<Tables>): ConsentTexts {
  return {
    async saveNew(texts) {
      await db
        .insertInto('consent_texts')
        .values(texts.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
        .onConflict(conflict => conflict.column('id').doNothing())
        .execute();
    },
    get: id => db.selectFrom('consent_texts').selectAll().where('id', '=', id).executeTakeFirst(),
  };
}
