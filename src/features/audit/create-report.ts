import type { CheckResult } from './check.ts';
import { type AuditScore, type Grading, gradeResults } from './grade.ts';
import { type CheckGroup, checkGroups, isCutShort, limitFinding } from './terms.ts';

export type AuditReport = AuditScore & { domain: string; measuredAt: string; results: CheckResult[] };

type Measured = Pick<AuditReport, 'domain' | 'measuredAt' | 'results'>;

/** Where a check ended at our own limits, a grade of the others would say too much. */
export function createReport(measured: Measured, grading: Grading): AuditReport {
  const graded = gradeResults(measured.results, grading);
  return {
    ...measured,
    ...graded,
    ...(isCutShort(measured) ? withoutPoints : {}),
  };
}

const withoutPoints = {
  score: null,
  grade: null,
  caps: [],
  groups: checkGroups.map(group => ({ group, score: null })),
};

/** Of a check that was ended from outside. */
export function createCutResult(one: { check: string; group: CheckGroup }, evidence: string): CheckResult {
  return { ...one, status: 'not-measurable', finding: limitFinding, values: {}, evidence: [evidence] };
}
