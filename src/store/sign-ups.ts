import { type Kysely, sql } from 'kysely';
import { type Admission, type Admitted, admit } from './admission.ts';
import type { Alone } from './alone.ts';
import { type Batch, jsonRows } from './batch.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Dialect, Observer } from './open.ts';
import type { SignUpRow, Tables } from './tables.ts';

export type NewSignUp = Omit<SignUpRow, 'network'> & Partial<Pick<SignUpRow, 'network'>>;

/** Requests for the newsletter, from when they come in until they are looked at. */
export type SignUps = {
  /** Keeps a request. Resolves once it is committed, after the same work for every address. */
  ask(signUp: NewSignUp): Promise<void>;
  /** False while the next one would be turned away as `Busy`. */
  hasRoom(): boolean;
  /** Those of a list, together, however many others wait. */
  askAll(signUps: NewSignUp[]): Promise<void>;
  /**
   * Looks at the requests that wait, in turns by network: a new address, a pending or unsubscribed one, or one that was
   * erased becomes pending and gets a confirmation letter in the same transaction, unless its mailbox had one lately; any
   * other request changes nothing. When the ceiling is reached those that would get a letter wait, and imported ones a
   * little sooner; `isFull` when a visitor does. Never twice for one mailbox, whatever the number of processes.
   */
  admit(admission: Admission): Promise<Admitted>;
  countSignUps(): Promise<number>;
};

const largestGroup = 128;
/** While a disk or a database does not answer, what waits for it must not fill the memory. */
const longestLine = 5000;
/** The rest of what a visitor is held for is left to the database. */
const longestWaitMs = 4000;

type SignUpsDeps = {
  db: Kysely<Tables>;
  dialect: Dialect;
  batch: Batch;
  alone: Alone;
  isHopeless(error: unknown): boolean;
  onGroup: Observer['onGroup'] | undefined;
};

export function createSignUps({ db, dialect, batch, alone, isHopeless, onGroup }: SignUpsDeps): SignUps {
  const { add: ask, hasRoom } = createGroupCommit<NewSignUp, void>(
    async group => {
      await batch([insertSignUps(db, group)]);
      return group.map(() => undefined);
    },
    { most: largestGroup, mostWaiting: longestLine, longestMs: longestWaitMs, isHopeless, onGroup },
  );
  return {
    ask,
    hasRoom,
    askAll: async signUps => void (await batch([insertSignUps(db, signUps)])),
    admit: admission => alone(transaction => admit(transaction, dialect, admission)),
    async countSignUps() {
      const row = await db
        .selectFrom('sign_ups')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
  };
}

/** Of an imported address, and of what was asked for before networks were kept. */
export const unknownNetwork = 'unknown';

const signUpColumns = [
  'id',
  'subscriber',
  'address',
  'form',
  'wording',
  'asked_at',
  'network',
] as const satisfies (keyof SignUpRow)[];

function insertSignUps(db: Kysely<Tables>, group: NewSignUp[]) {
  const names = signUpColumns.map(name => sql.ref(name));
  const values = signUpColumns.map((_, index) => sql`value ->> ${sql.lit(index)}`);
  const json = JSON.stringify(group.map(row => signUpColumns.map(name => row[name] ?? unknownNetwork)));
  return sql`insert into sign_ups (${sql.join(names)}) select ${sql.join(values)} from ${jsonRows(db, json)}`.compile(
    db,
  );
}
