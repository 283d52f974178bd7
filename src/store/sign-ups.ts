import { createGroupCommit, type GroupDeps, visitorLimits } from './group-commit.ts';
import { countPending, listPendingNetworks, type PendingFilter } from './pending-requests.ts';
import { insertRows } from './query-helpers.ts';
import type { SignUpRow } from './tables.ts';

export type SignUps = ReturnType<typeof createSignUps>;

export function createSignUps({ db, batch, isFatalDatabaseError, onGroup }: GroupDeps) {
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
    async count(): Promise<number> {
      const row = await db
        .selectFrom('sign_ups')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    listPendingNetworks: (filter: PendingFilter, limit: number) => listPendingNetworks(db, filter, limit),
    countPending: (filter: PendingFilter) => countPending(db, filter),
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
