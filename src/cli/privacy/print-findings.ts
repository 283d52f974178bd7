import { listFindings } from '../../domain/privacy/list-findings.ts';
import type { PersonalData } from '../../domain/privacy/search-personal-data.ts';
import type { Services } from '../../server/wire.ts';
import { describeCounts, printTable } from '../print.ts';

export function printFindings(found: PersonalData, { config: { dataDir } }: Services): void {
  printTable([...listFindings(found, dataDir)]);
}

type AuditEntry = PersonalData['audit'][number];

export function describeAudit({ action, done_at, counts }: AuditEntry): string {
  const what = describeCounts(JSON.parse(counts));
  const time = done_at.slice(0, 16).replace('T', ' ');
  return `${actionLabels[action]} on ${time}${what && `: ${what}`}`;
}

const actionLabels: Record<AuditEntry['action'], string> = {
  erase: 'Erased',
  'erase-newsletter': 'Erased from the newsletter',
  'erase-message': 'Message erased',
  rectify: 'Corrected',
  export: 'Exported',
};
