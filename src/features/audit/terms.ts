/** The only lists of groups, statuses and grades. Imports nothing, so that every folder may import it. */
export const checkGroups = ['web', 'mail', 'names'] as const;
export type CheckGroup = (typeof checkGroups)[number];

/** The share of its weight that a check earns with each status; null does not count. 'failed' is there, and of no use. */
export const statusCredits = {
  passed: 1,
  attention: 0.5,
  missing: 0,
  failed: 0,
  'not-measurable': null,
} as const;
export type CheckStatus = keyof typeof statusCredits;
export const checkStatuses = Object.keys(statusCredits) as CheckStatus[];

/** A check that ended at one of our own limits says nothing about the domain. */
export const limitFinding = 'limit';

/** Such a report has no grade, and only those who requested it see it. */
export function isCutShort({ results }: { results: readonly { finding: string }[] }): boolean {
  return results.some(({ finding }) => finding === limitFinding);
}

export function needsAction(status: CheckStatus): boolean {
  const credit = statusCredits[status];
  return credit !== null && credit < 1;
}

/** Best first. */
export const auditGrades = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
export type AuditGrade = (typeof auditGrades)[number];
