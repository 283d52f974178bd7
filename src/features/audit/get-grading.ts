import type { Audit } from './schemas/audit.ts';

/** The table that `gradeResults` of src/features/audit takes. */
export function getGrading({ groups, grades, caps }: Pick<Audit, 'groups' | 'grades' | 'caps'>) {
  const checks = Object.values(groups).flatMap(group => Object.entries(group.checks));
  return {
    weights: Object.fromEntries(checks.map(([id, { weight }]) => [id, weight])),
    grades: Object.entries(grades).map(([grade, { from }]) => ({
      grade: grade as keyof Audit['grades'],
      from,
    })),
    caps: Object.fromEntries(Object.entries(caps).map(([id, { best }]) => [id, best])),
  };
}
