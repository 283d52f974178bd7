import { describeAudit } from '../../domain/privacy/describe-counts.ts';
import { listFindings } from '../../domain/privacy/list-findings.ts';
import type { PersonalData } from '../../domain/privacy/search-personal-data.ts';
import type { Services } from '../../server/wire.ts';
import { printTable } from '../print.ts';

export function printFindings(found: PersonalData, { config: { dataDir } }: Services): void {
  printTable([...listFindings(found, dataDir)]);
}

export function formatAudit(entry: PersonalData['audit'][number]): string {
  const { label, counts } = describeAudit(entry);
  const time = entry.done_at.slice(0, 16).replace('T', ' ');
  return `${label} on ${time}${counts && `: ${counts}`}`;
}
