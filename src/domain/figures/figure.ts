/** Numbers as a table: the first column names the row. `drawn` are the columns of the plot. */
export type Figure = {
  id: string;
  title: string;
  sentence: string;
  columns: string[];
  rows: Cell[][];
  plot: { kind: PlotKind; drawn: number[] };
};

export type Cell = string | number;

/** stack: columns over weeks, one on the other. part: the second is a part of the first. line: one value over weeks. multiples: a small plot for each column. bars: one
 * bar for each row. range: from the first to the last drawn column of each row. */
export type PlotKind = 'stack' | 'part' | 'line' | 'multiples' | 'bars' | 'range';

export type Week = { from: string; before: string };

const dayMs = 24 * 60 * 60 * 1000;

/** Weeks begin on Monday, in UTC. The last one is the present week. */
export function listWeeks(now: Date, count: number): Week[] {
  const monday = now.getTime() - ((now.getUTCDay() + 6) % 7) * dayMs;
  const day = (weeksAgo: number) => new Date(monday - weeksAgo * 7 * dayMs).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, index) => {
    const ago = count - 1 - index;
    return { from: day(ago), before: day(ago - 1) };
  });
}

export function sum(rows: readonly { count: number }[]): number {
  return rows.reduce((all, { count }) => all + count, 0);
}

/** In percent, with one decimal. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10;
}
