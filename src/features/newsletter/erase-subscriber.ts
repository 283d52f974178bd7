import type { Clock } from '../../core/clock.ts';
import type { Storage } from '../../core/database/storage-cleanup.ts';
import type { ErasureLogRow } from '../../core/database/tables.ts';
import type { ErasureLog } from '../../core/personal-data.ts';
import { foldAddress, parseDeliverableAddress } from '../../lib/email-address.ts';
import { type EraseResult, eraseSubscriberRows } from './erase-subscriber-rows.ts';
import type { NewsletterKeys } from './newsletter-keys.ts';
import { hasSubscriberData, type Subscribers } from './subscribers.ts';

type EraseSubscriberDeps = {
  subscribers: Pick<Subscribers, 'getRecord' | 'inErasingTransaction'>;
  newsletterKeys: Pick<NewsletterKeys, 'subscriberPseudonym'>;
  erasureLog: Pick<ErasureLog, 'append' | 'record' | 'hashAddress'>;
  storage: Pick<Storage, 'cleanUp'>;
  clock: Clock;
};

/** Erases the newsletter's part only, and records it in the erasure log, whose file no backup restores. */
export async function eraseSubscriber(deps: EraseSubscriberDeps, address: string): Promise<EraseResult> {
  const parsed = parseDeliverableAddress(address);
  if (!parsed) return { kind: 'invalid address' };
  const known = await deps.subscribers.getRecord(
    deps.newsletterKeys.subscriberPseudonym(parsed.lowerCaseAddress),
  );
  const cleanUp = () => deps.storage.cleanUp({ address: foldAddress(address), references: new Set() });
  if (!hasSubscriberData(known)) {
    // An earlier run may have been interrupted before this step.
    await cleanUp();
    return { kind: 'unknown' };
  }
  const row: ErasureLogRow = {
    hash: deps.erasureLog.hashAddress(address),
    action: 'erase-newsletter',
    done_at: deps.clock.now().toISOString(),
    counts: JSON.stringify({ newsletter: 1, mails: known.mails.length }),
  };
  await deps.erasureLog.append([row]);
  const result = await eraseSubscriberRows(deps, address);
  await deps.erasureLog.record([row]);
  await cleanUp();
  return result;
}
