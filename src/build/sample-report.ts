import type { AuditReport } from '../api/contract.ts';
import { gradeResults } from '../audit/grade.ts';
import { checks } from '../audit/list-checks.ts';
import { getGrading } from '../content/get-grading.ts';
import type { Audit } from '../content/schemas/audit.ts';

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
