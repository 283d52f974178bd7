import { answerMessage } from '../../domain/messages/answer-message.ts';
import { closeMessage } from '../../domain/messages/close-message.ts';
import { markSpam } from '../../domain/messages/mark-spam.ts';
import { getMessage } from '../../domain/messages/read-inbox.ts';
import { releaseMessage } from '../../domain/messages/release-messages.ts';
import { reopenMessage } from '../../domain/messages/reopen-message.ts';
import { retryDeliveries } from '../../domain/messages/retry-deliveries.ts';
import type { Services } from '../../server/wire.ts';
import type { ChangeName, StateName } from './props.ts';

type Result = { kind: string; state?: string };
type Change = { to?: StateName; make(deps: Services['domainDeps'], reference: string): Promise<Result> };

const changes: Record<ChangeName, Change> = {
  answer: { to: 'answered', make: (deps, reference) => answerMessage(deps, reference) },
  close: { to: 'closed', make: closeMessage },
  reopen: { to: 'new', make: reopenMessage },
  spam: { to: 'spam', make: markSpam },
  release: { to: 'new', make: releaseMessage },
  retry: { make: retryOne },
};

export function isChange(name: string): name is ChangeName {
  return Object.hasOwn(changes, name);
}

/** `paused`: a receiver of it is; `held`: in quarantine or spam; `left`: its state does not allow it; `gone`: deleted. */
export type ChangeCounts = Record<'changed' | 'paused' | 'held' | 'left' | 'gone', number>;

/** `changed` counts those that are already as wanted, so that a form sent twice is answered alike. */
export async function changeMessages(
  { domainDeps }: Services,
  name: ChangeName,
  references: readonly string[],
): Promise<ChangeCounts> {
  const counts = { changed: 0, paused: 0, held: 0, left: 0, gone: 0 };
  const { to, make } = changes[name];
  for (const reference of new Set(references)) {
    const { kind, state } = await make(domainDeps, reference);
    if (kind === 'unknown') counts.gone += 1;
    else if (kind === 'paused') counts.paused += 1;
    else if (state === undefined || state === to) counts.changed += 1;
    else if (state === 'quarantined' || state === 'spam') counts.held += 1;
    else counts.left += 1;
  }
  return counts;
}

async function retryOne(deps: Services['domainDeps'], reference: string): Promise<Result> {
  const { retried, paused } = await retryDeliveries(deps, { states: ['failed', 'waiting'], reference });
  if (retried > 0) return { kind: paused.length > 0 ? 'paused' : 'retried' };
  return (await getMessage(deps, reference)) ? { kind: 'none', state: 'none' } : { kind: 'unknown' };
}
