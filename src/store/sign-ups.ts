import { type Admission, type Admitted, admit } from './admission.ts';
import { createGroupCommit, type GroupDeps, visitorLimits } from './group-commit.ts';
import {
  countPending,
  dropPending,
  listPendingNetworks,
  type PendingCounts,
  type PendingFilter,
  type PendingNetwork,
} from './pending.ts';
import { insertRows, withAdvisoryLock } from './query-helpers.ts';
import type { SignUpRow } from './tables.ts';
import { emptyLog } from './truncate-wal.ts';

export type SignUps = {
  /** Resolves once it is committed, after the same work for every address. */
  ask(signUp: SignUpRow): Promise<void>;
  hasRoom(): boolean;
  /** In turns by network. At the ceiling the rest waits, imported ones at four fifths; `isFull` when a visitor waits. */
  admit(admission: Admission): Promise<Admitted>;
  countSignUps(): Promise<number>;
  /** Visitors' requests that are not confirmed, those with the most first. */
  listPendingNetworks(filter: PendingFilter, limit: number): Promise<PendingNetwork[]>;
  countPending(filter: PendingFilter): Promise<PendingCounts>;
  /** Drops some, with their tokens and letters that wait. None once all are gone, but for those in use at this moment. */
  dropPending(filter: PendingFilter): Promise<PendingCounts>;
};

export function createSignUps({ db, batch, isHopeless, onGroup }: GroupDeps): SignUps {
  const { add: ask, hasRoom } = createGroupCommit<SignUpRow, void>(
    async group => {
      await batch([insertRows(db, 'sign_ups', signUpColumns, group).compile(db)]);
      return group.map(() => undefined);
    },
    { ...visitorLimits, isHopeless, onGroup },
  );
  return {
    ask,
    hasRoom,
    admit: admission => withAdvisoryLock(db, transaction => admit(transaction, admission)),
    async countSignUps() {
      const row = await db
        .selectFrom('sign_ups')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    listPendingNetworks: (filter, limit) => listPendingNetworks(db, filter, limit),
    countPending: filter => countPending(db, filter),
    async dropPending(filter) {
      const dropped = await withAdvisoryLock(db, transaction => dropPending(transaction, filter));
      await emptyLog(db);
      return dropped;
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
  'network',
] as const satisfies (keyof SignUpRow)[];
