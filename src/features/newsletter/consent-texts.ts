import type { Kysely } from 'kysely';
import type { ConsentTextRow, Tables } from '../../core/database/tables.ts';

export type ConsentTexts = ReturnType<typeof createConsentTexts>;

export function createConsentTexts(db: Kysely<Tables>) {
  return {
    async saveNew(texts: readonly ConsentTextRow[]): Promise<void> {
      await db
        .insertInto('consent_texts')
        .values(texts.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
        .onConflict(conflict => conflict.column('id').doNothing())
        .execute();
    },
    get: (id: string): Promise<ConsentTextRow | undefined> =>
      db.selectFrom('consent_texts').selectAll().where('id', '=', id).executeTakeFirst(),
  };
}
