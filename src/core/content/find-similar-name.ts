/** The candidate that a misspelt name was probably meant to be: it differs by a letter or two, or by case and hyphens. */
export function findSimilarName(name: string, candidates: string[]): string | undefined {
  const wanted = normalize(name);
  const [nearest] = candidates
    .map(candidate => ({ candidate, distance: countEdits(wanted, normalize(candidate)) }))
    .toSorted((one, other) => one.distance - other.distance);
  const maxDistance = Math.min(2, Math.floor(wanted.length / 3));
  return nearest && nearest.distance <= maxDistance ? nearest.candidate : undefined;
}

function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, '').slice(0, 60);
}

/** Letters to add, remove, replace, or swap with their neighbour (optimal string alignment). */
function countEdits(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row++) {
    const edits = [row];
    for (let column = 1; column <= to.length; column++) {
      const above = rows[row - 1] ?? [];
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      edits[column] = Math.min(
        (above[column] ?? 0) + 1,
        (edits[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (rows[row - 2]?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(edits);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
