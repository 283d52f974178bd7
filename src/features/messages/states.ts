import type { MessageState } from '../../core/database/tables.ts';

type Transition = { from: readonly MessageState[]; to: MessageState };

/** What the owner can do with a message: the states in which it can be done, and the state that follows. */
export const transitions = {
  answer: { from: ['new', 'closed'], to: 'answered' },
  close: { from: ['new', 'answered'], to: 'closed' },
  reopen: { from: ['answered', 'closed'], to: 'new' },
  spam: { from: ['new', 'answered', 'closed', 'quarantined'], to: 'spam' },
  release: { from: ['quarantined', 'spam'], to: 'new' },
} as const satisfies Record<string, Transition>;

export type ChangeName = keyof typeof transitions;

/** Nothing of it is delivered until it is released. */
export const heldBackStates: readonly MessageState[] = transitions.release.from;

export function isHeldBack(state: MessageState): boolean {
  return heldBackStates.includes(state);
}
