import { type RawBuilder, sql, type Transaction } from 'kysely';
import { jsonRows } from './batch.ts';
import type { Dialect } from './open.ts';
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

export type Admitted = { taken: number; mailed: number; isFull: boolean };

/** What the API lets no visitor call itself. */
const importForm = 'import';

export async function admit(
  db: Transaction<Tables>,
  dialect: Dialect,
  admission: Admission,
): Promise<Admitted> {
  const looked = await db
    .selectFrom('sign_ups')
    .selectAll()
    // A visitor does not wait behind a list that the owner has brought in.
    .orderBy(sql`case when form = ${importForm} then 1 else 0 end`)
    .orderBy('asked_at')
    .orderBy('id')
    .limit(admission.most)
    // Whoever leaves at this moment takes the request away, or waits and then withdraws what became of it.
    .$if(dialect === 'postgres', query => query.forUpdate().skipLocked())
    .execute();
  if (looked.length === 0) return { taken: 0, mailed: 0, isFull: false };
  const known = await findKnown(db, [...new Set(looked.map(({ subscriber }) => subscriber))], admission);
  // Of several requests for one address the first one counts.
  const open = new Map<string, SignUpRow>();
  for (const signUp of looked) {
    const row = known.get(signUp.subscriber);
    if (open.has(signUp.subscriber) || (row && isIdle(signUp, row, admission))) continue;
    open.set(signUp.subscriber, signUp);
  }
  const chosen = choose([...open.values()], await findRoom(db, admission), admission);
  const mailed = await becomePending(db, chosen, admission);
  for (const { subscriber } of chosen) open.delete(subscriber);
  await addLetters(db, mailed, 'waiting', admission);
  // Whoever gets none takes a letter's place all the same: whether there is room for the next tells nothing about them.
  const others = chosen.map(({ subscriber }) => subscriber).filter(id => !mailed.includes(id));
  await addLetters(db, others, 'dropped', admission);

  const settled = looked.filter(({ subscriber }) => !open.has(subscriber)).map(({ id }) => [id]);
  await sql`delete from sign_ups where id in
    (select value ->> 0 from ${jsonRows(db, JSON.stringify(settled))})`.execute(db);
  return { taken: settled.length, mailed: mailed.length, isFull: [...open.values()].some(isVisitors) };
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

type Known = { id: string; left_at: string | null; is_mailable: number; is_lately: number };

async function findKnown(
  db: Transaction<Tables>,
  ids: string[],
  admission: Admission,
): Promise<Map<string, Known>> {
  const json = JSON.stringify(ids.map(id => [id]));
  const { rows } = await sql<Known>`select id, left_at,
      case when ${isMailable(admission)} then 1 else 0 end as is_mailable,
      case when ${isLately(admission)} then 1 else 0 end as is_lately
    from subscribers where id in (select value ->> 0 from ${jsonRows(db, json)})`.execute(db);
  return new Map(rows.map(row => [row.id, row]));
}

/** A request of no account: its address has had its turn of the day, is known to a list, or has left since. */
function isIdle(signUp: SignUpRow, row: Known, { now }: Admission): boolean {
  const { left_at } = row;
  const isOutlived = left_at !== null && signUp.asked_at < left_at && left_at <= now;
  const isServed = row.is_mailable === 0 && row.is_lately === 1;
  return isServed || isOutlived || !isVisitors(signUp);
}

/** Whether it has had a letter, or its place, within the period, or one waits. */
function isLately({ now, notMailedSince }: Admission): RawBuilder<boolean> {
  const ahead = mirrored(now, notMailedSince);
  return sql`exists (select 1 from deliveries
    where deliveries.subscriber = subscribers.id and deliveries.kind = 'confirmation'
      and (deliveries.state in ('waiting', 'sending')
        or deliveries.created_at > ${notMailedSince} and deliveries.created_at <= ${ahead}
        or deliveries.settled_at > ${notMailedSince} and deliveries.settled_at <= ${ahead}))`;
}

/**
 * Two letters are a period apart both in the asking and in the sending: one that waits for a mail server may leave long
 * after it was asked for. Of an erased one nobody knows any more when its last letter was: the erasure stands for it. A
 * time that lies a period ahead was taken from a clock that has since been put right.
 */
function isMailable({ now, notMailedSince }: Admission): RawBuilder<boolean> {
  const ahead = mirrored(now, notMailedSince);
  return sql`(subscribers.state in ('pending', 'unsubscribed')
      or subscribers.state = 'suppressed' and subscribers.suppressed_why = 'erased'
        and (subscribers.suppressed_at <= ${notMailedSince} or subscribers.suppressed_at > ${ahead}))
    and (subscribers.mailed_at is null or subscribers.mailed_at <= ${notMailedSince} or subscribers.mailed_at > ${ahead})
    and not exists (select 1 from deliveries
      where deliveries.subscriber = subscribers.id and deliveries.kind = 'confirmation'
        and (deliveries.state in ('waiting', 'sending') or deliveries.state in ('delivered', 'unsure')
          and deliveries.settled_at > ${notMailedSince} and deliveries.settled_at <= ${ahead}))`;
}

/**
 * Counted by when they were put on their way and by when they left: what piled up behind a mail server that was away must
 * not leave beside another hour's worth. One that was tried in vain is not counted for as long as it waits: whoever enters
 * addresses that never answer would keep everybody else from being asked.
 */
async function findRoom(db: Transaction<Tables>, { now, ceiling, ceilingSince }: Admission): Promise<number> {
  const ahead = mirrored(now, ceilingSince);
  const row = await db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll().as('count'))
    // Written into the query, so that the index of just these serves.
    .where('kind', '=', sql.lit('confirmation' as const))
    .where(({ eb, or, and }) =>
      or([
        and([eb('created_at', '>', ceilingSince), eb('created_at', '<=', ahead)]),
        and([
          eb('state', 'in', ['delivered', 'unsure']),
          eb('settled_at', '>', ceilingSince),
          eb('settled_at', '<=', ahead),
        ]),
        and([eb('state', 'in', ['waiting', 'sending']), eb('attempts', '=', 0)]),
      ]),
    )
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
    where ${isMailable(admission)} and (subscribers.left_at is null
      or subscribers.left_at <= excluded.requested_at or subscribers.left_at > ${admission.now})
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

async function addLetters(
  db: Transaction<Tables>,
  subscribers: string[],
  state: 'waiting' | 'dropped',
  { now, reference }: Admission,
): Promise<void> {
  if (subscribers.length === 0) return;
  const settledAt = state === 'dropped' ? now : null;
  const json = JSON.stringify(
    subscribers.map(subscriber => [reference(), subscriber, now, state, settledAt]),
  );
  await sql`insert into deliveries (reference, receiver, kind, subscriber, created_at, due_at, state, settled_at)
    select value ->> 0, 'confirmations', 'confirmation', value ->> 1, value ->> 2, value ->> 2, value ->> 3, value ->> 4
    from ${jsonRows(db, json)}`.execute(db);
}
