import type { DepsOf } from '../../../core/action.ts';
import { changeEach } from '../actions/change-messages.ts';
import { retry } from '../actions/deliveries.ts';
import type { ChangeResult } from '../change-messages.ts';
import { getMessage } from '../read-inbox.ts';
import { type ChangeName as Change, isHeldBack, transitions } from '../states.ts';

type RetryNeeds = DepsOf<typeof retry.run> & { domainDeps: DepsOf<typeof getMessage> };

export type ChangeName = Change | 'retry';

export function isChange(name: string): name is ChangeName {
  return name === 'retry' || Object.hasOwn(transitions, name);
}

/** `paused`: a receiver of it is; `held`: in quarantine or spam; `left`: its state does not allow it; `gone`: deleted. */
export type ChangeCounts = Record<'changed' | 'paused' | 'held' | 'left' | 'gone', number>;

/** `changed` counts those that are already as wanted, so that a form sent twice is answered alike. */
export async function changeMessages(
  services: RetryNeeds & DepsOf<typeof changeEach>,
  name: ChangeName,
  references: readonly string[],
): Promise<ChangeCounts> {
  const counts = { changed: 0, paused: 0, held: 0, left: 0, gone: 0 };
  if (name === 'retry') for (const reference of references) counts[await retryOne(services, reference)] += 1;
  else for (const change of await changeEach(services, name, references)) counts[classify(change, name)] += 1;
  return counts;
}

function classify(change: ChangeResult, name: Change): keyof ChangeCounts {
  if (change.kind === 'unknown') return 'gone';
  const { state } = change.message;
  if (change.kind === 'changed' || state === transitions[name].to) return 'changed';
  return isHeldBack(state) ? 'held' : 'left';
}

async function retryOne(services: RetryNeeds, reference: string): Promise<keyof ChangeCounts> {
  const { retried, paused } = await retry.run(services, { reference, failed: false, waiting: false });
  if (retried > 0) return paused.length > 0 ? 'paused' : 'changed';
  return (await getMessage(services.domainDeps, reference)) ? 'left' : 'gone';
}
