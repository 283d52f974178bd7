import type { Ids } from '../../../core/ids.ts';
import type { AuditProgress } from '../run-audit.ts';
import { isCutShort } from '../terms.ts';
import type { Audits } from './audits.ts';
import type { StoredProgress } from './request-audit.ts';

type StoreDeps = { audits: Pick<Audits, 'add'>; ids: Pick<Ids, 'uuid'> };

/**
 * Passes an audit's progress on; visitors get the report once it is stored. Where nothing could be measured, mostly of a misspelt
 * name, it is not stored, so that the next request is a new audit.
 */
export async function* storeReport(
  { audits, ids }: StoreDeps,
  progress: AsyncIterable<AuditProgress>,
): AsyncGenerator<StoredProgress> {
  for await (const event of progress) {
    if (event.type !== 'report') {
      yield event;
      continue;
    }
    const { report } = event;
    if (report.grade === null && !isCutShort(report)) {
      yield { type: 'failed', reason: 'no-answer', hasConnected: event.hasConnected };
      continue;
    }
    const id = ids.uuid();
    const { domain, measuredAt } = report;
    await audits.add({ id, domain, measured_at: measuredAt, report: JSON.stringify(report) });
    yield { type: 'report', report: { id, ...report } };
  }
}
