import { diff } from 'node:util';

/** Lines `start` to `end` (excluded) of the first text become `lines` in the second. */
export type Hunk = { start: number; end: number; lines: string[] };

export function compareLines(first: string, second: string): Hunk[] {
  const hunks: Hunk[] = [];
  let [line, isOpen] = [0, false];
  for (const [operation, text] of diff(first.split('\n'), second.split('\n'))) {
    if (operation !== 0 && !isOpen) hunks.push({ start: line, end: line, lines: [] });
    isOpen = operation !== 0;
    const hunk = hunks.at(-1);
    // Node's diff has 1 for what only the first has, and -1 for what only the second has.
    if (operation === -1) hunk?.lines.push(text);
    else line += 1;
    if (operation === 1 && hunk) hunk.end = line;
  }
  return hunks;
}

/** The present text with the change from `before` to `after` taken back. Undefined where those lines changed again. */
export function revertLines(present: string, before: string, after: string): string | undefined {
  const reverted = compareLines(after, before);
  const later = compareLines(after, present);
  const touches = (one: Hunk, other: Hunk) => one.start <= other.end && other.start <= one.end;
  if (reverted.some(one => later.some(other => touches(one, other)))) return undefined;
  const lines = after.split('\n');
  for (const { start, end, lines: replacement } of [...reverted, ...later].toSorted(
    (a, b) => b.start - a.start,
  ))
    lines.splice(start, end - start, ...replacement);
  return lines.join('\n');
}
