import { type RawBuilder, sql, type Transaction } from 'kysely';
import { jsonRows } from './batch.ts';
import type { Dialect } from './open.ts';
import type { DeliveryState, SignUpRow, Tables } from './tables.ts';
import { mirrored } from './turns.ts';

export type Admission = {
  now: string;
  /** No mailbox gets a second confirmation letter unless its last one is older than this. */
  notMailedSince: string;
  /** At most `ceiling` confirmation letters are put on their way after `ceilingSince`, to whomever. */
  ceilingSince: string;
  ceiling: number;
  /** Sign-ups looked at in one transaction. */
  most: number;
  /** Names a delivery. */
  reference(): string;
  /** Stands for the mailbox of an address, under whatever tag. */
  mailboxPseudonym(address: string): string;
};

export type Admitted = { taken: number; mailed: number; isFull: boolean };

/** What the API lets no visitor call itself. */
const importForm = 'import';

export async function admit(
  db: Transaction<Tables>,
  dialect: Dialect,
  admission: Admission,
): Promise<Admitted> {
  const letters = await countLetters(db, admission);
  const looked = await findNext(db, dialect, admission, letters);
  if (looked.length === 0) return { taken: 0, mailed: 0, isFull: false };
  const mailboxes = new Map(looked.map(({ id, address }) => [id, admission.mailboxPseudonym(address)]));
  const mailboxOf = ({ id }: SignUpRow) => mailboxes.get(id) as string;
  const known = await findKnown(db, [...new Set(looked.map(({ subscriber }) => subscriber))], admission);
  const served = await findServed(db, [...new Set(mailboxes.values())], admission);
  // Of several requests for one mailbox the first one counts.
  const open = new Map<string, SignUpRow>();
  for (const signUp of looked) {
    const row = known.get(signUp.subscriber);
    const isServed = served.get(mailboxOf(signUp))?.some(letter => serves(letter, signUp, row));
    if (open.has(mailboxOf(signUp)) || isServed || (row && isIdle(signUp, row, admission))) continue;
    open.set(mailboxOf(signUp), signUp);
  }
  const sent = [...letters.values()].reduce((sum, count) => sum + count, 0);
  const chosen = choose([...open.values()], Math.max(0, admission.ceiling - sent), admission);
  const mailed = new Set(await becomePending(db, chosen, admission));
  for (const signUp of chosen) open.delete(mailboxOf(signUp));
  // Whoever gets none takes a letter's place all the same: whether there is room for the next tells nothing about them.
  await addLetters(
    db,
    chosen.map(signUp => ({
      ...{ subscriber: signUp.subscriber, mailbox: mailboxOf(signUp), network: signUp.network },
      state: mailed.has(signUp.subscriber) ? 'waiting' : 'dropped',
    })),
    admission,
  );

  const settled = looked.filter(signUp => !open.has(mailboxOf(signUp))).map(({ id }) => [id]);
  await sql`delete from sign_ups where id in
    (select value ->> 0 from ${jsonRows(db, JSON.stringify(settled))})`.execute(db);
  return { taken: settled.length, mailed: mailed.size, isFull: [...open.values()].some(isVisitors) };
}

/**
 * Networks take turns: the first request of each comes before the second of any. A letter of the ceiling's period counts
 * as a turn, so that a network with much that waits gets no more than another where there is room for one at a time.
 */
async function findNext(
  db: Transaction<Tables>,
  dialect: Dialect,
  { most }: Admission,
  letters: ReadonlyMap<string, number>,
): Promise<SignUpRow[]> {
  // Whoever leaves at this moment takes the request away, or waits and then withdraws what became of it.
  const lock = sql.raw(dialect === 'postgres' ? 'for update of sign_ups skip locked' : '');
  // Cast to text, or SQLite makes no index of it and looks through all of it for each request.
  const { rows: visitors } = await sql<SignUpRow>`
    with had as materialized (select cast(value ->> 0 as text) as network, cast(value ->> 1 as integer) as letters
      from ${jsonRows(db, JSON.stringify([...letters]))}),
    turns as (select id, asked_at, network, row_number() over (partition by network order by asked_at, id) as number
      from sign_ups where form <> ${sql.lit(importForm)}),
    next as materialized (select turns.id, number + coalesce(letters, 0) as turn
      from turns left join had on had.network = turns.network
      order by turn, asked_at, turns.id limit ${most})
    select sign_ups.* from next join sign_ups on sign_ups.id = next.id
    order by turn, asked_at, sign_ups.id ${lock}`.execute(db);
  // A visitor does not wait behind a list that the owner has brought in.
  const { rows: imported } = await sql<SignUpRow>`select * from sign_ups where form = ${sql.lit(importForm)}
    order by asked_at, id limit ${most - visitors.length} ${lock}`.execute(db);
  return [...visitors, ...imported];
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

type Known = { id: string; left_at: string | null; is_mailable: number };

async function findKnown(
  db: Transaction<Tables>,
  ids: string[],
  admission: Admission,
): Promise<Map<string, Known>> {
  const json = JSON.stringify(ids.map(id => [id]));
  const { rows } = await sql<Known>`select id, left_at,
      case when ${isMailable(admission)} then 1 else 0 end as is_mailable
    from subscribers where id in (select value ->> 0 from ${jsonRows(db, json)})`.execute(db);
  return new Map(rows.map(row => [row.id, row]));
}

/** A request of no account: its address is known to a list, or has left since. */
function isIdle(signUp: SignUpRow, { left_at }: Known, { now }: Admission): boolean {
  const isOutlived = left_at !== null && signUp.asked_at < left_at && left_at <= now;
  return isOutlived || !isVisitors(signUp);
}

type Served = { mailbox: string; subscriber: string; state: DeliveryState };

/** What each mailbox has had within the period, or what waits for it: letters, and the places of letters. */
async function findServed(
  db: Transaction<Tables>,
  mailboxes: string[],
  { now, notMailedSince }: Admission,
): Promise<Map<string, Served[]>> {
  const ahead = mirrored(now, notMailedSince);
  const json = JSON.stringify(mailboxes.map(mailbox => [mailbox]));
  const { rows } = await sql<Served>`select mailbox, subscriber, state from deliveries
    where mailbox in (select value ->> 0 from ${jsonRows(db, json)}) and kind = 'confirmation'
      and (state in ('waiting', 'sending')
        or created_at > ${notMailedSince} and created_at <= ${ahead}
        or state in ('delivered', 'unsure')
          and settled_at > ${notMailedSince} and settled_at <= ${ahead})`.execute(db);
  return Map.groupBy(rows, ({ mailbox }) => mailbox);
}

/**
 * A letter serves its whole mailbox. A place serves other addresses of the mailbox, or a known address could be told from
 * an unknown one by them; its own address only for as long as that gets no letter.
 */
function serves({ state, subscriber }: Served, signUp: SignUpRow, row: Known | undefined): boolean {
  return state !== 'dropped' || subscriber !== signUp.subscriber || row?.is_mailable === 0;
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
 * By network. Counted by when they were put on their way and by when they left: what piled up behind a mail server that was away must
 * not leave beside another hour's worth. One that was tried in vain is not counted for as long as it waits: whoever enters
 * addresses that never answer would keep everybody else from being asked.
 */
async function countLetters(
  db: Transaction<Tables>,
  { now, ceilingSince }: Admission,
): Promise<Map<string, number>> {
  const ahead = mirrored(now, ceilingSince);
  const rows = await db
    .selectFrom('deliveries')
    .select(({ fn }) => ['network', fn.countAll().as('count')])
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
    .groupBy('network')
    .execute();
  return new Map(rows.map(({ network, count }) => [network ?? '', Number(count)]));
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

type NewLetter = { subscriber: string; mailbox: string; network: string; state: 'waiting' | 'dropped' };

async function addLetters(
  db: Transaction<Tables>,
  letters: NewLetter[],
  { now, reference }: Admission,
): Promise<void> {
  const json = JSON.stringify(
    letters.map(({ subscriber, mailbox, network, state }) => {
      const settledAt = state === 'dropped' ? now : null;
      return [reference(), subscriber, mailbox, network, now, state, settledAt];
    }),
  );
  await sql`insert into deliveries
    (receiver, kind, reference, subscriber, mailbox, network, created_at, due_at, state, settled_at)
    select 'confirmations', 'confirmation', value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 4,
      value ->> 5, value ->> 6
    from ${jsonRows(db, json)}`.execute(db);
}
