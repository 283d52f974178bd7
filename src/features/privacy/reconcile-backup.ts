import type { readPrivacyState } from '../../core/database/restore.ts';
import type { AuditRow } from '../../core/database/tables.ts';
import { createHmacSigner } from '../../core/hmac.ts';
import { createNewsletterKeys } from '../newsletter/newsletter-keys.ts';
import { reapplyOptOuts } from '../newsletter/reapply-opt-outs.ts';
import type { Subscribers } from '../newsletter/subscribers.ts';
import { createAuditHasher } from './audit-hasher.ts';
import type { Privacy } from './privacy.ts';
import { replayErasures } from './replay-erasures.ts';

type PrivacyState = Awaited<ReturnType<typeof readPrivacyState>>;

type ReconcileDeps = {
  privacy: Privacy;
  subscribers: Subscribers;
  ledger: { append(rows: readonly AuditRow[]): Promise<void> };
};

type ReconcileInput = {
  createdAt: string;
  backup: PrivacyState;
  current: PrivacyState;
  ledgerRows: readonly AuditRow[];
  otherLedgerRows: readonly AuditRow[];
};

export async function reconcileBackup(
  { ledger, ...copy }: ReconcileDeps,
  { createdAt, backup, current, ledgerRows, otherLedgerRows }: ReconcileInput,
) {
  const currentErasures = [...current.audit, ...ledgerRows, ...otherLedgerRows];
  await copy.privacy.recordAudit(currentErasures);
  // The ledger on the disk comes first: if this restore fails, the next one knows the erasures.
  const known = [...backup.audit, ...currentErasures].filter(({ action }) => action.startsWith('erase'));
  await ledger.append(subtract(known, ledgerRows));

  const hmac = createHmacSigner(backup.secret ?? '');
  const currentSecret = current.secret ?? backup.secret;
  const isSameKey = currentSecret === backup.secret;
  const hashers = [hmac, ...(isSameKey ? [] : [createHmacSigner(currentSecret ?? '')])].map(
    createAuditHasher,
  );
  const newsletterKeys = createNewsletterKeys(hmac);
  const deps = { ...copy, newsletterKeys, hashers };
  // An erasure that was running during the backup is in its audit, but not done.
  const done = backup.audit.filter(({ done_at }) => Date.parse(done_at) < Date.parse(createdAt) - hourMs);
  return {
    erased: await replayErasures(deps, subtract(known, done), backup.addresses),
    optOuts: await reapplyOptOuts(deps, current.optOuts, { isSameKey }),
    corrections: current.audit.filter(({ action, done_at }) => action === 'rectify' && done_at > createdAt)
      .length,
    areErasuresUnknown: currentErasures.length === 0,
    areOptOutsUnknown: current.secret !== backup.secret && backup.addresses.length > 0,
  };
}

const hourMs = 3_600_000;

function subtract(entries: readonly AuditRow[], others: readonly AuditRow[]): AuditRow[] {
  const identify = ({ hash, action, done_at }: AuditRow) => JSON.stringify([hash, action, done_at]);
  const remaining = new Map(entries.map(row => [identify(row), row]));
  for (const row of others) remaining.delete(identify(row));
  return [...remaining.values()];
}
