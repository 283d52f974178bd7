import type { ErasureLogRow } from '../../core/database/tables.ts';
import { describeCounts } from '../../lib/describe-counts.ts';

/** What was done for a person before, such as 'Exported' and '1 message'. */
export function describeLogRow({ action, counts }: ErasureLogRow): { label: string; counts: string } {
  return { label: labels[action], counts: describeCounts(JSON.parse(counts)) };
}

const labels: Record<ErasureLogRow['action'], string> = {
  erase: 'Erased',
  'erase-newsletter': 'Erased from the newsletter',
  'erase-message': 'Message erased',
  rectify: 'Corrected',
  export: 'Exported',
};
