import type { Erased } from '../erase-person.ts';
import type { Task } from '../follow-up-tasks.ts';

export const longRead =
  'Until a long read of the database, such as a backup, has ended, the old data stays in a file beside it.';

/** What an erasure could not reach. `isRepeatable`: the same can be asked for again. */
export function listProblems(
  { activeLeases, cleanup }: Pick<Erased, 'activeLeases' | 'cleanup'>,
  { isRepeatable = true } = {},
): string[] {
  const sending = new Set(activeLeases.map(({ reference, receiver }) => `${reference} to ${receiver}`));
  return [
    ...(sending.size > 0
      ? [
          `Being delivered at this moment, so a copy may arrive: ${[...sending].join(', ')}.${isRepeatable ? ' Repeat this in a minute.' : ''}`,
        ]
      : []),
    ...(cleanup.kind === 'sqlite' && !cleanup.isClean
      ? [`${longRead}${isRepeatable ? ' Repeat this then.' : ''}`]
      : []),
  ];
}

export function describeTask({ where, what, references }: Task): string {
  return `To do: ${where}: ${what}${references.length > 0 ? `: ${references.join(', ')}` : ''}.`;
}
