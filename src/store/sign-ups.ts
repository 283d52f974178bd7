import { createGroupCommit, type GroupDeps, visitorLimits } from './group-commit.ts';
import {
  countPending,
  listPendingNetworks,
  type PendingCounts,
  type PendingFilter,
  type PendingNetwork,
} from './pending-requests.ts';
import { insertRows } from './query-helpers.ts';
import type { SignUpRow } from './tables.ts';

export type SignUps = {
  /** Resolves once it is committed, after the same work for every address. */
  add(signUp: SignUpRow): Promise<void>;
  hasCapacity(): boolean;
  count(): Promise<number>;
  /** Visitors' requests that are not confirmed, those with the most first. */
  listPendingNetworks(filter: PendingFilter, limit: number): Promise<PendingNetwork[]>;
  countPending(filter: PendingFilter): Promise<PendingCounts>;
};

export function createSignUps({ db, batch, isFatalDatabaseError, onGroup }: GroupDeps): SignUps {
  const { add, hasCapacity } = createGroupCommit<SignUpRow, void>(
    async group => {
      await batch([insertRows(db, 'sign_ups', signUpColumns, group).compile(db)]);
      return group.map(() => undefined);
    },
    { ...visitorLimits, isFatalDatabaseError, onGroup },
  );
  return {
    add,
    hasCapacity,
    async count() {
      const row = await db
        .selectFrom('sign_ups')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    listPendingNetworks: (filter, limit) => listPendingNetworks(db, filter, limit),
    countPending: filter => countPending(db, filter),
  };
}

const signUpColumns = [
  'id',
  'subscriber',
  'address',
  'form',
  'consent_text',
  'requested_at',
  'network',
] as const satisfies (keyof SignUpRow)[];
