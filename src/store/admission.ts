import { type RawBuilder, sql, type Transaction } from 'kysely';
import { isAmong, isSqlite, jsonRows } from './query-helpers.ts';
import type { DeliveryState, SignUpRow, Tables } from './tables.ts';

export type Admission = {
  now: string;
  /** A mailbox gets a second confirmation letter only if its last one is older. */
  notMailedSince: string;
  /** At most `ceiling` letters are queued after `ceilingSince`. */
  ceilingSince: string;
  ceiling: number;
  most: number;
  reference(): string;
  mailboxPseudonym(address: string): string;
};

export type Admitted = { taken: number; mailed: number; isFull: boolean };

export async function admit(db: Transaction<Tables>, admission: Admission): Promise<Admitted> {
  const letters = await countLetters(db, admission);
  const looked = await findNext(db, admission, letters);
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
    if (open.has(mailboxOf(signUp)) || isServed || (row && isIdle(signUp, row))) continue;
    open.set(mailboxOf(signUp), signUp);
  }
  const sent = [...letters.values()].reduce((sum, count) => sum + count, 0);
  const chosen = choose([...open.values()], Math.max(0, admission.ceiling - sent), admission);
  const mailed = new Set(await becomePending(db, chosen, admission));
  for (const signUp of chosen) open.delete(mailboxOf(signUp));
  // An address that gets no letter takes a letter's place, so that the room left tells nothing about the address.
  await addLetters(
    db,
    chosen.map(signUp => ({
      ...{ subscriber: signUp.subscriber, mailbox: mailboxOf(signUp), network: signUp.network },
      state: mailed.has(signUp.subscriber) ? 'waiting' : 'dropped',
    })),
    admission,
  );

  const settled = looked.filter(signUp => !open.has(mailboxOf(signUp))).map(({ id }) => id);
  await db
    .deleteFrom('sign_ups')
    .where(isAmong(db, settled, 'id'))
    .execute();
  return { taken: settled.length, mailed: mailed.size, isFull: [...open.values()].some(isVisitors) };
}

/** Networks take turns, an imported list as one of them. A letter of the ceiling's period counts as a turn. */
async function findNext(
  db: Transaction<Tables>,
  { most }: Admission,
  letters: ReadonlyMap<string, number>,
): Promise<SignUpRow[]> {
  // An address that leaves at this moment deletes its sign-up, or waits and then withdraws the request.
  const lock = sql.raw(isSqlite(db) ? '' : 'for update of sign_ups skip locked');
  // Without the cast to text SQLite builds no index and scans all of it for each sign-up.
  const { rows } = await sql<SignUpRow>`
    with had as materialized (select cast(value ->> 0 as text) as network, cast(value ->> 1 as integer) as letters
      from ${jsonRows(db, [...letters])}),
    turns as (select id, asked_at, network, row_number() over (partition by network order by asked_at, id) as number
      from sign_ups),
    next as materialized (select turns.id, number + coalesce(letters, 0) as turn
      from turns left join had on had.network = turns.network
      order by turn, asked_at, turns.id limit ${most})
    select sign_ups.* from next join sign_ups on sign_ups.id = next.id
    order by turn, asked_at, sign_ups.id ${lock}`.execute(db);
  return rows;
}

/** A fifth of the letters is reserved for visitors, however long an imported list is. */
function choose(wanted: SignUpRow[], room: number, { ceiling }: Admission): SignUpRow[] {
  const chosen: SignUpRow[] = [];
  for (const signUp of wanted) {
    const reserved = isVisitors(signUp) ? 0 : Math.floor(ceiling / 5);
    if (chosen.length < room - reserved) chosen.push(signUp);
  }
  return chosen;
}

/** The API accepts no request with the form 'import'. */
function isVisitors({ form }: SignUpRow): boolean {
  return form !== 'import';
}

type Known = { id: string; left_at: string | null; is_mailable: number };

async function findKnown(
  db: Transaction<Tables>,
  ids: string[],
  admission: Admission,
): Promise<Map<string, Known>> {
  const { rows } = await sql<Known>`select id, left_at,
      case when ${isMailable(admission)} then 1 else 0 end as is_mailable
    from subscribers where ${isAmong(db, ids, 'id')}`.execute(db);
  return new Map(rows.map(row => [row.id, row]));
}

/** An imported address that is known, or a sign-up from before the address left. */
function isIdle(signUp: SignUpRow, { left_at }: Known): boolean {
  const isOutlived = left_at !== null && signUp.asked_at < left_at;
  return isOutlived || !isVisitors(signUp);
}

type Served = { mailbox: string; subscriber: string; state: DeliveryState };

/** Letters of the period or that wait, by mailbox; a dropped one only took a letter's place. */
async function findServed(
  db: Transaction<Tables>,
  mailboxes: string[],
  { notMailedSince }: Admission,
): Promise<Map<string, Served[]>> {
  const { rows } = await sql<Served>`select mailbox, subscriber, state from deliveries
    where ${isAmong(db, mailboxes, 'mailbox')} and kind = 'confirmation'
      and (state in ('waiting', 'sending')
        or created_at > ${notMailedSince}
        or state in ('delivered', 'unsure')
          and settled_at > ${notMailedSince})`.execute(db);
  return Map.groupBy(rows, ({ mailbox }) => mailbox);
}

/** A dropped letter serves the mailbox's other addresses, or they would reveal whether its own is known. */
function serves({ state, subscriber }: Served, signUp: SignUpRow, row: Known | undefined): boolean {
  return state !== 'dropped' || subscriber !== signUp.subscriber || row?.is_mailable === 0;
}

/** By when letters were queued and sent; for an erased address its erasure stands for the last letter. */
function isMailable({ notMailedSince }: Admission): RawBuilder<boolean> {
  return sql`(subscribers.state in ('pending', 'unsubscribed')
      or subscribers.state = 'suppressed' and subscribers.suppressed_why = 'erased'
        and subscribers.suppressed_at <= ${notMailedSince})
    and (subscribers.mailed_at is null or subscribers.mailed_at <= ${notMailedSince})
    and not exists (select 1 from deliveries
      where deliveries.subscriber = subscribers.id and deliveries.kind = 'confirmation'
        and (deliveries.state in ('waiting', 'sending') or deliveries.state in ('delivered', 'unsure')
          and deliveries.settled_at > ${notMailedSince}))`;
}

/** By network. One that failed and waits is not counted: dead addresses must not use up the ceiling. */
async function countLetters(
  db: Transaction<Tables>,
  { ceilingSince }: Admission,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('deliveries')
    .select(({ fn }) => ['network', fn.countAll().as('count')])
    // A literal, so that the partial index is used.
    .where('kind', '=', sql.lit('confirmation' as const))
    .where(({ eb, or, and }) =>
      or([
        eb('created_at', '>', ceilingSince),
        and([eb('state', 'in', ['delivered', 'unsure']), eb('settled_at', '>', ceilingSince)]),
        and([eb('state', 'in', ['waiting', 'sending']), eb('attempts', '=', 0)]),
      ]),
    )
    .groupBy('network')
    .execute();
  return new Map(rows.map(({ network, count }) => [network ?? '', Number(count)]));
}

/** Checks the row again under its lock. Consent, `left_at` and `suppressed_why` stay, to return to what it was before. */
async function becomePending(
  db: Transaction<Tables>,
  chosen: SignUpRow[],
  admission: Admission,
): Promise<string[]> {
  // In one order everywhere, so that two transactions cannot deadlock.
  const inOrder = chosen.toSorted((a, b) => (a.subscriber < b.subscriber ? -1 : 1));
  const rows = inOrder.map(({ subscriber, address, form, wording, asked_at }) => {
    return [subscriber, address, form, wording, asked_at, admission.now];
  });
  const pending = await sql<{ id: string }>`
    insert into subscribers (id, address, state, request_form, request_wording, requested_at, mailed_at)
    select value ->> 0, value ->> 1, 'pending', value ->> 2, value ->> 3, value ->> 4, value ->> 5
    from ${jsonRows(db, rows)} where true
    on conflict (id) do update set address = excluded.address, state = excluded.state,
      request_form = excluded.request_form, request_wording = excluded.request_wording,
      requested_at = excluded.requested_at, mailed_at = excluded.mailed_at
    where ${isMailable(admission)} and (subscribers.left_at is null
      or subscribers.left_at <= excluded.requested_at)
    returning id`.execute(db);
  return pending.rows.map(({ id }) => id);
}

type NewLetter = { subscriber: string; mailbox: string; network: string; state: 'waiting' | 'dropped' };

async function addLetters(
  db: Transaction<Tables>,
  letters: NewLetter[],
  { now, reference }: Admission,
): Promise<void> {
  const rows = letters.map(({ subscriber, mailbox, network, state }) => {
    const settledAt = state === 'dropped' ? now : null;
    return [reference(), subscriber, mailbox, network, now, state, settledAt];
  });
  await sql`insert into deliveries
    (receiver, kind, reference, subscriber, mailbox, network, created_at, due_at, state, settled_at)
    select 'confirmations', 'confirmation', value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 4,
      value ->> 5, value ->> 6
    from ${jsonRows(db, rows)}`.execute(db);
}
