import { findCauses } from './caps.ts';
import type { CheckResult } from './check.ts';
import { type AuditGrade, auditGrades, type CheckGroup, checkGroups, statusCredits } from './terms.ts';

/** The table of content/audit.yaml: a check without a weight counts for nothing; a grade is given from `from` points up. */
export type Grading = {
  weights: Readonly<Record<string, number>>;
  grades: readonly { grade: AuditGrade; from: number }[];
  /** The best grade that is left while a fault of caps.ts is there. */
  caps: Readonly<Record<string, AuditGrade>>;
};

export type AuditScore = {
  /** Of what could be measured, from 0 to 100; null where nothing could. */
  score: number | null;
  grade: AuditGrade | null;
  /** Of caps.ts: the faults that keep the grade below that of the points. The one that decides is first. */
  caps: string[];
  groups: { group: CheckGroup; score: number | null }[];
  /** Ids of the checks to act on first: those that limit the grade, then those that cost the most points; at most three. */
  first: string[];
};

type Points = { check: string; group: CheckGroup; possible: number; lost: number };

export function gradeResults(results: readonly CheckResult[], grading: Grading): AuditScore {
  const { weights, grades } = grading;
  const points = results.flatMap(({ check, group, status }): Points[] => {
    const possible = weights[check] ?? 0;
    const credit = statusCredits[status];
    return credit === null ? [] : [{ check, group, possible, lost: possible * (1 - credit) }];
  });
  const score = toScore(points);
  const reached = score === null ? null : toGrade(score, grades);
  const caps = reached === null ? [] : findCaps(results, grading, reached);
  const costly = points.filter(({ lost }) => lost > 0).toSorted((one, other) => other.lost - one.lost);
  return {
    score,
    grade: caps[0]?.grade ?? reached,
    caps: caps.map(({ cap }) => cap),
    groups: checkGroups.map(group => ({ group, score: toScore(points.filter(one => one.group === group)) })),
    first: [...new Set([...caps.flatMap(({ causes }) => causes), ...costly.map(({ check }) => check)])].slice(
      0,
      3,
    ),
  };
}

/** Those that leave a worse grade than was reached, the worst first. */
function findCaps(results: readonly CheckResult[], { caps }: Grading, reached: AuditGrade) {
  return Object.entries(caps)
    .map(([cap, grade]) => ({
      cap,
      grade,
      causes: (findCauses[cap]?.(results) ?? []).map(({ check }) => check),
    }))
    .filter(({ grade, causes }) => causes.length > 0 && rank(grade) > rank(reached))
    .toSorted((one, other) => rank(other.grade) - rank(one.grade));
}

function rank(grade: AuditGrade): number {
  return auditGrades.indexOf(grade);
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
