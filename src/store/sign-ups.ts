import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Alone } from './alone.ts';
import { type Batch, jsonRows } from './batch.ts';
import { createGroupCommit } from './group-commit.ts';
import type { SignUpRow, Tables } from './tables.ts';
import { mirrored } from './turns.ts';

export type Admission = {
  now: string;
  /** No address gets a second confirmation letter unless its last one is older than this. */
  notMailedSince: string;
  /** At most `ceiling` confirmation letters are put on their way after `ceilingSince`, to whomever. */
  ceilingSince: string;
  ceiling: number;
  /** Sign-ups looked at in one transaction. */
  most: number;
  /** Names a delivery. */
  reference(): string;
};

/** Requests for the newsletter, from when they come in until they are looked at. */
export type SignUps = {
  /** Keeps a request. Resolves once it is committed, after the same work for every address. */
  ask(signUp: SignUpRow): Promise<void>;
  /**
   * Looks at the requests that wait, oldest first: a new address, a pending or unsubscribed one, or one that was erased
   * becomes pending and gets a confirmation letter in the same transaction, unless it had one lately; any other request
   * changes nothing. When the ceiling is reached those that would get a letter wait, and imported ones a little sooner;
   * `isFull` when a visitor does. Never twice for one address, whatever the number of processes.
   */
  admit(admission: Admission): Promise<{ taken: number; mailed: number; isFull: boolean }>;
  countSignUps(): Promise<number>;
};

/** What the API lets no visitor call itself. */
const importForm = 'import';

const largestGroup = 128;
/** While a disk or a database does not answer, what waits for it must not fill the memory. */
const longestLine = 5000;

type SignUpsDeps = { db: Kysely<Tables>; batch: Batch; alone: Alone; isHopeless(error: unknown): boolean };

export function createSignUps({ db, batch, alone, isHopeless }: SignUpsDeps): SignUps {
  const ask = createGroupCommit<SignUpRow, void>(
    async group => {
      await batch([insertSignUps(db, group)]);
      return group.map(() => undefined);
    },
    { most: largestGroup, mostWaiting: longestLine, isHopeless },
  );
  return {
    ask,
    admit: admission => alone(transaction => admit(transaction, admission)),
    async countSignUps() {
      const row = await db
        .selectFrom('sign_ups')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
  };
}

const signUpColumns = [
  'id',
  'subscriber',
  'address',
  'form',
  'wording',
  'asked_at',
] as const satisfies (keyof SignUpRow)[];

function insertSignUps(db: Kysely<Tables>, group: SignUpRow[]) {
  const names = signUpColumns.map(name => sql.ref(name));
  const values = signUpColumns.map((_, index) => sql`value ->> ${sql.lit(index)}`);
  const json = JSON.stringify(group.map(row => signUpColumns.map(name => row[name])));
  return sql`insert into sign_ups (${sql.join(names)}) select ${sql.join(values)} from ${jsonRows(db, json)}`.compile(
    db,
  );
}

async function admit(db: Transaction<Tables>, admission: Admission) {
  const looked = await db
    .selectFrom('sign_ups')
    .selectAll()
    // A visitor does not wait behind a list that the owner has brought in.
    .orderBy(sql`case when form = ${importForm} then 1 else 0 end`)
    .orderBy('asked_at')
    .orderBy('id')
    .limit(admission.most)
    .execute();
  if (looked.length === 0) return { taken: 0, mailed: 0, isFull: false };
  // Of several requests for one address the first one counts.
  const first = new Map<string, SignUpRow>();
  for (const signUp of looked) if (!first.has(signUp.subscriber)) first.set(signUp.subscriber, signUp);
  for (const id of await findUnmoved(db, [...first.keys()], admission)) first.delete(id);
  const chosen = choose([...first.values()], await findRoom(db, admission), admission);
  const mailed = await becomePending(db, chosen, admission);
  if (mailed.length > 0) await addLetters(db, mailed, admission);

  for (const { subscriber } of chosen) first.delete(subscriber);
  const settled = looked.filter(({ subscriber }) => !first.has(subscriber)).map(({ id }) => [id]);
  await sql`delete from sign_ups where id in
    (select value ->> 0 from ${jsonRows(db, JSON.stringify(settled))})`.execute(db);
  const isFull = [...first.values()].some(isVisitors);
  return { taken: settled.length, mailed: mailed.length, isFull };
}

/** A list that the owner brought in takes its time: a fifth of the letters of each hour stays for visitors. */
function choose(wanted: SignUpRow[], room: number, { ceiling }: Admission): SignUpRow[] {
  const visitors = wanted.filter(isVisitors).slice(0, room);
  const rest = Math.max(0, room - visitors.length - Math.floor(ceiling / 5));
  return [...visitors, ...wanted.filter(one => !isVisitors(one)).slice(0, rest)];
}

function isVisitors({ form }: SignUpRow): boolean {
  return form !== importForm;
}

/** Those among whom a request changes nothing. */
async function findUnmoved(db: Transaction<Tables>, ids: string[], admission: Admission): Promise<string[]> {
  const json = JSON.stringify(ids.map(id => [id]));
  const { rows } = await sql<{ id: string }>`select id from subscribers
    where id in (select value ->> 0 from ${jsonRows(db, json)}) and not (${isMailable(admission)})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/**
 * Two letters are a period apart both in the asking and in the sending: one that waits for a mail server may leave long
 * after it was asked for. A time that lies a period ahead was taken from a clock that has since been put right.
 */
function isMailable({ now, notMailedSince }: Admission): RawBuilder<boolean> {
  const ahead = mirrored(now, notMailedSince);
  return sql`(subscribers.state in ('pending', 'unsubscribed')
      or subscribers.state = 'suppressed' and subscribers.suppressed_why = 'erased')
    and (subscribers.mailed_at is null or subscribers.mailed_at <= ${notMailedSince} or subscribers.mailed_at > ${ahead})
    and not exists (select 1 from deliveries
      where deliveries.subscriber = subscribers.id and deliveries.kind = 'confirmation'
        and (deliveries.state in ('waiting', 'sending') or deliveries.state in ('delivered', 'unsure')
          and deliveries.settled_at > ${notMailedSince} and deliveries.settled_at <= ${ahead}))`;
}

async function findRoom(db: Transaction<Tables>, { now, ceiling, ceilingSince }: Admission): Promise<number> {
  const row = await db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll().as('count'))
    // Written into the query, so that the index of just these serves.
    .where('kind', '=', sql.lit('confirmation' as const))
    .where('created_at', '>', ceilingSince)
    .where('created_at', '<=', mirrored(now, ceilingSince))
    .executeTakeFirstOrThrow();
  return Math.max(0, ceiling - Number(row.count));
}

/**
 * Whose row says so at this moment, whatever it said before. What it was before stays to be read from it: consent and
 * `left_at` of one who had left, `suppressed_why` of one who was erased.
 */
async function becomePending(
  db: Transaction<Tables>,
  chosen: SignUpRow[],
  admission: Admission,
): Promise<string[]> {
  // In one order everywhere, so that two transactions cannot wait for each other in a ring.
  const inOrder = chosen.toSorted((a, b) => (a.subscriber < b.subscriber ? -1 : 1));
  const json = JSON.stringify(
    inOrder.map(({ subscriber, address, form, wording, asked_at }) => [
      subscriber,
      address,
      form,
      wording,
      asked_at,
      admission.now,
    ]),
  );
  const { rows } = await sql<{ id: string }>`
    insert into subscribers (id, address, state, request_form, request_wording, requested_at, mailed_at)
    select value ->> 0, value ->> 1, 'pending', value ->> 2, value ->> 3, value ->> 4, value ->> 5
    from ${jsonRows(db, json)} where true
    on conflict (id) do update set address = excluded.address, state = excluded.state,
      request_form = excluded.request_form, request_wording = excluded.request_wording,
      requested_at = excluded.requested_at, mailed_at = excluded.mailed_at
    where ${isMailable(admission)}
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

async function addLetters(
  db: Transaction<Tables>,
  subscribers: string[],
  { now, reference }: Admission,
): Promise<void> {
  const json = JSON.stringify(subscribers.map(subscriber => [reference(), subscriber, now]));
  await sql`insert into deliveries (reference, receiver, kind, subscriber, created_at, due_at)
    select value ->> 0, 'confirmations', 'confirmation', value ->> 1, value ->> 2, value ->> 2
    from ${jsonRows(db, json)}`.execute(db);
}
