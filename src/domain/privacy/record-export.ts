import type { Privacy } from '../../store/privacy.ts';
import type { AuditPseudonyms } from './pseudonym.ts';
import { hasSubscriberData, type PersonalData } from './search-personal-data.ts';

type RecordDeps = { privacy: Pick<Privacy, 'recordAudit'>; audit: AuditPseudonyms };

/** In the audit, once the file is written. Returns the counts it holds. */
export async function recordExport(
  { privacy, audit }: RecordDeps,
  { address, madeAt, found }: { address: string; madeAt: string; found: PersonalData },
): Promise<{ messages: number; newsletter: number }> {
  const counts = { messages: found.messages.length, newsletter: Number(hasSubscriberData(found.newsletter)) };
  await privacy.recordAudit([
    {
      hash: audit.ofAddress(address),
      action: 'export',
      done_at: madeAt,
      counts: JSON.stringify(counts),
    },
  ]);
  return counts;
}
