import type { Clock } from '../../lib/clock.ts';
import { hashToken } from '../../lib/ids.ts';
import type { Audits } from '../../store/audits.ts';
import { auditLimits } from './audit-limits.ts';
import { readReportRow, type StoredReport } from './request-audit.ts';

type ReadDeps = { audits: Pick<Audits, 'getByLink'>; clock: Clock };

export async function readReport(
  { audits, clock }: ReadDeps,
  token: string,
): Promise<StoredReport | undefined> {
  const row = await audits.getByLink(hashToken(token), clock.now().toISOString());
  return row && readReportRow(row);
}

/** For the owner, by the id that a message holds. */
export async function getReport(
  { audits }: { audits: Pick<Audits, 'get'> },
  id: string | null,
): Promise<StoredReport | undefined> {
  const row = id === null ? undefined : await audits.get(id);
  return row && readReportRow(row);
}

export function deleteReportLink(
  { audits }: { audits: Pick<Audits, 'deleteLink'> },
  token: string,
): Promise<boolean> {
  return audits.deleteLink(hashToken(token));
}

/** Safe to run concurrently. */
export async function expireReports({
  audits,
  clock,
}: {
  audits: Pick<Audits, 'deleteExpired'>;
  clock: Clock;
}): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - auditLimits.windowMs);
  await audits.deleteExpired(now.toISOString(), since.toISOString());
}
