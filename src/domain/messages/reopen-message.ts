import { type ChangeDeps, type ChangeResult, changeState } from './change-state.ts';

export function reopenMessage(deps: ChangeDeps, reference: string): Promise<ChangeResult> {
  return changeState(deps, reference, { from: ['answered', 'closed'], to: 'new' });
}
