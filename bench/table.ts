/** Columns as wide as their widest cell. */
export function alignColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}

/** A figure beside its goal, as every bench of pages ends with. */
export function goalLine(name: string, figure: string, goal: string, isReached: boolean): string[] {
  return [name, figure, goal, isReached ? 'ok' : 'over'];
}
