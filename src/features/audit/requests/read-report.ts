import type { Clock } from '../../../core/clock.ts';
import { hashToken } from '../../../core/ids.ts';
import { type AuditLimits, limits } from './audit-limits.ts';
import type { Audits } from './audits.ts';
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

type DeleteDeps = {
  audits: Pick<Audits, 'deleteLink'>;
  auditLimits: Pick<AuditLimits, 'refundErased'>;
  clock: Clock;
};

/** A result that is erased with its last link locks its domain for no other visitor. */
export async function deleteReportLink(
  { audits, auditLimits, clock }: DeleteDeps,
  token: string,
): Promise<void> {
  const erased = await audits.deleteLink(hashToken(token));
  if (erased && erased.measured_at > since(clock)) await auditLimits.refundErased(erased.domain);
}

/** Safe to run concurrently. */
export async function expireReports({
  audits,
  clock,
}: {
  audits: Pick<Audits, 'deleteExpired'>;
  clock: Clock;
}): Promise<void> {
  await audits.deleteExpired(clock.now().toISOString(), since(clock));
}

function since(clock: Clock): string {
  return new Date(clock.now().getTime() - limits.auditName.windowMs).toISOString();
}
