import { createGroupCommit, type GroupDeps } from '../../core/database/group-commit.ts';
import { countRows, insertRows } from '../../core/database/query-helpers.ts';
import type { SignUpRow } from '../../core/database/tables.ts';
import { countPending, listPendingNetworks, type PendingFilter } from './pending-requests.ts';

export type SignUps = ReturnType<typeof createSignUps>;

export function createSignUps({ db, batch, limits }: GroupDeps) {
  const { add, hasCapacity } = createGroupCommit<SignUpRow, void>(async group => {
    await batch([insertRows(db, 'sign_ups', signUpColumns, group).compile(db)]);
    return group.map(() => undefined);
  }, limits);
  return {
    add,
    hasCapacity,
    count: (): Promise<number> => countRows(db, db.selectFrom('sign_ups')),
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
