import { type Kysely, sql } from 'kysely';
import { type Alone, createAlone } from './alone.ts';
import { type Batch, jsonRows } from './batch.ts';
import { type Consents, createConsents } from './consents.ts';
import { createErasures, type Erasures } from './erasures.ts';
import type { Dialect, Observer } from './open.ts';
import { createPending, type Pending } from './pending.ts';
import { createSignUps, type SignUps } from './sign-ups.ts';
import { createSuppressions, type Suppressions } from './suppressions.ts';
import type { SubscriberRow, SubscriberState, SuppressionReason, Tables } from './tables.ts';
import { createWordings, type Wordings } from './wordings.ts';

/** What an import brings of one address. A confirmed one has its proof of consent. */
export type Imported = Pick<SubscriberRow, 'id' | 'form' | 'wording' | 'asked_at' | 'confirmed_at'> &
  (
    | { state: 'confirmed'; address: string }
    | { state: 'unsubscribed'; address: string; left_at: string }
    | {
        state: 'suppressed';
        address: string | null;
        suppressed_at: string;
        suppressed_why: SuppressionReason;
        left_at?: string | null;
      }
  );

/** Everybody who asked for the newsletter, what became of it, and what they agreed to. */
export type Subscribers = SignUps & Pending & Consents & Suppressions & Erasures & Wordings & Register;

type Register = {
  get(id: string): Promise<SubscriberRow | undefined>;
  /** By id, in pages: those after the given one. */
  list(filter: { state?: SubscriberState; after?: string }, limit: number): Promise<SubscriberRow[]>;
  count(state?: SubscriberState): Promise<number>;
  /** Adds those whose id is not there, all in one transaction. How many were added. */
  importAll(rows: readonly Imported[]): Promise<number>;
  /** Which of these ids are there, in what state. */
  findStates(ids: readonly string[]): Promise<Map<string, SubscriberState>>;
};

type SubscribersDeps = {
  db: Kysely<Tables>;
  dialect: Dialect;
  batch: Batch;
  isHopeless(error: unknown): boolean;
  onGroup: Observer['onGroup'] | undefined;
};

export function createSubscribers(deps: SubscribersDeps): Subscribers {
  const { db, dialect } = deps;
  const alone = createAlone(db, dialect);
  return {
    ...createSignUps({ ...deps, alone }),
    ...createPending({ db, dialect, alone }),
    ...createConsents(db, dialect),
    ...createSuppressions(db, dialect),
    ...createErasures({ db, dialect, alone }),
    ...createWordings(db),
    ...createRegister(db, alone),
  };
}

function createRegister(db: Kysely<Tables>, alone: Alone): Register {
  return {
    get: id => db.selectFrom('subscribers').selectAll().where('id', '=', id).executeTakeFirst(),

    list: ({ state, after }, limit) =>
      db
        .selectFrom('subscribers')
        .selectAll()
        .$if(state !== undefined, query => query.where('state', '=', state as SubscriberState))
        .$if(after !== undefined, query => query.where('id', '>', after as string))
        .orderBy('id')
        .limit(limit)
        .execute(),

    async count(state) {
      const row = await db
        .selectFrom('subscribers')
        .select(({ fn }) => fn.countAll().as('count'))
        .$if(state !== undefined, query => query.where('state', '=', state as SubscriberState))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    importAll: rows =>
      alone(async transaction => {
        let added = 0;
        for (let at = 0; at < rows.length; at += largestPage) {
          const insert = insertImported(transaction, rows.slice(at, at + largestPage));
          added += Number((await insert.execute(transaction)).numAffectedRows);
        }
        return added;
      }),

    async findStates(ids) {
      const json = JSON.stringify(ids.map(id => [id]));
      const { rows } = await sql<Pick<SubscriberRow, 'id' | 'state'>>`select id, state from subscribers
        where id in (select value ->> 0 from ${jsonRows(db, json)})`.execute(db);
      return new Map(rows.map(({ id, state }) => [id, state]));
    },
  };
}

/** Each statement ends long before a database loses its patience. */
const largestPage = 1000;

const importedColumns = [
  'id',
  'address',
  'state',
  'form',
  'wording',
  'asked_at',
  'confirmed_at',
  'left_at',
  'suppressed_at',
  'suppressed_why',
] as const satisfies (keyof SubscriberRow)[];

function insertImported(db: Kysely<Tables>, rows: Imported[]) {
  const none = { left_at: null, suppressed_at: null, suppressed_why: '' };
  const names = importedColumns.map(name => sql.ref(name));
  const values = importedColumns.map((_, index) => sql`value ->> ${sql.lit(index)}`);
  const json = JSON.stringify(
    rows.map(row => {
      const whole = { ...none, ...row };
      return importedColumns.map(name => whole[name]);
    }),
  );
  return sql`insert into subscribers (${sql.join(names)}) select ${sql.join(values)}
    from ${jsonRows(db, json)} where true on conflict (id) do nothing`;
}
