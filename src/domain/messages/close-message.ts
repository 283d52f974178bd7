import { type ChangeDeps, type ChangeResult, changeState } from './change-state.ts';

/** Nothing more is to be done about it, answered or not. */
export function closeMessage(deps: ChangeDeps, reference: string): Promise<ChangeResult> {
  return changeState(deps, reference, { from: ['new', 'answered'], to: 'closed' });
}
