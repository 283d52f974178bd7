import type { Clock } from '../../lib/clock.ts';
import type { Privacy } from '../../store/privacy.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import type { AuditRow } from '../../store/tables.ts';
import { parseAddress } from '../subscribers/address.ts';
import { type EraseResult, eraseSubscriber } from '../subscribers/erase-subscriber.ts';
import type { Naming } from '../subscribers/naming.ts';
import { isReader } from './find-person.ts';
import { type AuditNaming, addressKey } from './naming.ts';

type EraseReaderDeps = {
  privacy: Pick<Privacy, 'getNewsletter' | 'record' | 'settle'>;
  subscribers: Pick<Subscribers, 'erase'>;
  newsletter: Pick<Naming, 'nameSubscriber'>;
  audit: AuditNaming;
  ledger: { append(rows: readonly AuditRow[]): Promise<void> };
  clock: Clock;
};

/** Forgets the newsletter's part of an address alone, and writes that down where no backup undoes it. */
export async function eraseReader(deps: EraseReaderDeps, address: string): Promise<EraseResult> {
  const parsed = parseAddress(address);
  if (!parsed) return { kind: 'impossible' };
  const known = await deps.privacy.getNewsletter(deps.newsletter.nameSubscriber(parsed.key));
  // The id that an erasure leaves is nothing to erase again.
  if (!isReader(known)) return { kind: 'unknown' };
  const row: AuditRow = {
    hash: deps.audit.ofAddress(address),
    action: 'erase-newsletter',
    done_at: deps.clock.now().toISOString(),
    counts: JSON.stringify({ newsletter: 1, letters: known.letters.length }),
  };
  await deps.ledger.append([row]);
  const result = await eraseSubscriber(deps, address);
  await deps.privacy.record([row]);
  await deps.privacy.settle({ address: addressKey(address), references: new Set() });
  return result;
}
