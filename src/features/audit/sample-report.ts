import type { AuditReport } from './contract.ts';
import { getGrading } from './get-grading.ts';
import { gradeResults } from './grade.ts';
import { checks } from './list-checks.ts';
import type { Audit } from './schemas/audit.ts';

/** Graded with the owner's weights, so that the sample never contradicts a real report. */
export function createSampleReport(audit: Audit): AuditReport {
  const { domain, measuredAt, findings } = audit.sample;
  const results = checks.flatMap(check => {
    const { finding = '', values = {}, evidence = [] } = findings[check.id] ?? {};
    const status = check.findings[finding];
    return status ? [{ check: check.id, group: check.group, status, finding, values, evidence }] : [];
  });
  return { id: 'sample', domain, measuredAt, ...gradeResults(results, getGrading(audit)), results };
}
