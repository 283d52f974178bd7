import type { Erased } from '../../domain/privacy/erase-person.ts';
import type { Task } from '../../domain/privacy/follow-up-tasks.ts';

export const longRead =
  'A long read of the database, such as a backup, keeps the old data in a file beside it (the WAL).';

/** What an erasure could not reach, so that it has to be repeated. */
export function listProblems({ activeLeases, cleanup }: Pick<Erased, 'activeLeases' | 'cleanup'>): string[] {
  const sending = new Set(activeLeases.map(({ reference, receiver }) => `${reference} to ${receiver}`));
  return [
    ...(sending.size > 0
      ? [`Being delivered at this moment: ${[...sending].join(', ')}. Repeat this in a minute.`]
      : []),
    ...(cleanup.kind === 'sqlite' && !cleanup.isClean ? [`${longRead} Repeat this when it has ended.`] : []),
  ];
}

export function describeTask({ where, what, references }: Task): string {
  return `To do: ${where}: ${what}${references.length > 0 ? `: ${references.join(', ')}` : ''}.`;
}
