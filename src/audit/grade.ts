import type { CheckResult } from './check.ts';
import { type AuditGrade, type CheckGroup, checkGroups, statusCredits } from './terms.ts';

/** The table of content/audit.yaml: a check without a weight counts for nothing; a grade is given from `from` points up. */
export type Grading = {
  weights: Readonly<Record<string, number>>;
  grades: readonly { grade: AuditGrade; from: number }[];
};

export type AuditScore = {
  /** Of what could be measured, from 0 to 100; null where nothing could. */
  score: number | null;
  grade: AuditGrade | null;
  groups: { group: CheckGroup; score: number | null }[];
  /** Ids of the checks to act on first: those that cost the most points, at most three. */
  first: string[];
};

type Points = { check: string; group: CheckGroup; possible: number; lost: number };

export function gradeResults(results: readonly CheckResult[], { weights, grades }: Grading): AuditScore {
  const points = results.flatMap(({ check, group, status }): Points[] => {
    const possible = weights[check] ?? 0;
    const credit = statusCredits[status];
    return credit === null ? [] : [{ check, group, possible, lost: possible * (1 - credit) }];
  });
  const score = toScore(points);
  return {
    score,
    grade: score === null ? null : toGrade(score, grades),
    groups: checkGroups.map(group => ({ group, score: toScore(points.filter(one => one.group === group)) })),
    first: points
      .filter(({ lost }) => lost > 0)
      .toSorted((one, other) => other.lost - one.lost)
      .slice(0, 3)
      .map(({ check }) => check),
  };
}

function toScore(points: readonly Points[]): number | null {
  const possible = points.reduce((sum, one) => sum + one.possible, 0);
  const lost = points.reduce((sum, one) => sum + one.lost, 0);
  // Rounded down, so that only a result without any fault has 100 points.
  return possible === 0 ? null : Math.floor((100 * (possible - lost)) / possible);
}

function toGrade(score: number, grades: Grading['grades']): AuditGrade {
  const reached = grades.toSorted((one, other) => other.from - one.from).find(({ from }) => score >= from);
  return reached?.grade ?? 'F';
}
