import type { Clock } from '../../core/clock.ts';
import type { AuditRow } from '../../core/database/tables.ts';
import { foldAddress, parseDeliverableAddress } from '../../lib/email-address.ts';
import { type EraseResult, eraseSubscriberRows } from '../newsletter/erase-subscriber-rows.ts';
import type { NewsletterKeys } from '../newsletter/newsletter-keys.ts';
import type { Subscribers } from '../newsletter/subscribers.ts';
import type { AuditHasher } from './audit-hasher.ts';
import type { Privacy } from './privacy.ts';
import { hasSubscriberData } from './search-personal-data.ts';

type EraseSubscriberDataDeps = {
  privacy: Pick<Privacy, 'getNewsletter' | 'recordAudit' | 'cleanUpStorage'>;
  subscribers: Pick<Subscribers, 'inErasingTransaction'>;
  newsletterKeys: Pick<NewsletterKeys, 'subscriberPseudonym'>;
  auditHasher: AuditHasher;
  ledger: { append(rows: readonly AuditRow[]): Promise<void> };
  clock: Clock;
};

/** Erases the newsletter's part only, and records it in the ledger, which no backup restores. */
export async function eraseSubscriber(deps: EraseSubscriberDataDeps, address: string): Promise<EraseResult> {
  const parsed = parseDeliverableAddress(address);
  if (!parsed) return { kind: 'invalid address' };
  const known = await deps.privacy.getNewsletter(
    deps.newsletterKeys.subscriberPseudonym(parsed.lowerCaseAddress),
  );
  const cleanUp = () => deps.privacy.cleanUpStorage({ address: foldAddress(address), references: new Set() });
  if (!hasSubscriberData(known)) {
    // An earlier run may have been interrupted before this step.
    await cleanUp();
    return { kind: 'unknown' };
  }
  const row: AuditRow = {
    hash: deps.auditHasher.hashAddress(address),
    action: 'erase-newsletter',
    done_at: deps.clock.now().toISOString(),
    counts: JSON.stringify({ newsletter: 1, mails: known.mails.length }),
  };
  await deps.ledger.append([row]);
  const result = await eraseSubscriberRows(deps, address);
  await deps.privacy.recordAudit([row]);
  await cleanUp();
  return result;
}
