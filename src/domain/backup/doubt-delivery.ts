import type { Row } from '../../store/dumped-tables.ts';

/** How many deliveries waited in a backup, by what became of them. */
export type Doubts = { messages: number; issueLetters: number; confirmations: number };

const why = 'restored from a backup: it may have been sent since';

/**
 * What waited when a backup was made may have left since. A message is sent as one that possibly arrived; a letter to a
 * reader is not sent again by itself, and one that asks to confirm can be asked for again.
 */
export function createDoubts(now: string): { counts: Doubts; apply(row: Row): Row } {
  const counts: Doubts = { messages: 0, issueLetters: 0, confirmations: 0 };
  return {
    counts,
    apply(row) {
      if (!['waiting', 'sending', 'held'].includes(row.state as string)) return row;
      const freed = { ...row, lease: null, lease_until: null, is_ambiguous: 1 };
      if (row.kind === 'issue') {
        counts.issueLetters += 1;
        return { ...freed, state: 'unsure', last_failure: why, settled_at: now };
      }
      if (row.kind === 'confirmation') {
        counts.confirmations += 1;
        return { ...freed, state: 'dropped', last_failure: why, settled_at: now };
      }
      counts.messages += 1;
      return { ...freed, state: 'waiting' };
    },
  };
}
