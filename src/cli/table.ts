/** Aligned columns that fit the terminal; tab-separated for a program. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  const lines = [head, ...rows].map(row => row.map(visible));
  if (!process.stdout.isTTY) {
    process.stdout.write(lines.map(line => `${line.join('\t')}\n`).join(''));
    return;
  }
  const widths = head.map((_, column) => Math.max(...lines.map(line => width(line[column] ?? ''))));
  for (const line of lines) {
    const text = line
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
      .join('  ');
    process.stdout.write(`${[...text.trimEnd()].slice(0, process.stdout.columns || 200).join('')}\n`);
  }
}

/** A cell is one line, and nothing in it is obeyed by a terminal. */
export function visible(cell: string): string {
  return cell.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

function width(text: string): number {
  return [...text].length;
}
