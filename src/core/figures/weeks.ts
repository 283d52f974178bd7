import type { Cell, Week } from './figure.ts';

type Counted = { count: number };
type CountedDay = Counted & { day: string };

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

export function selectWeek<Row extends CountedDay>(rows: readonly Row[], { from, before }: Week): Row[] {
  return rows.filter(row => row.day >= from && row.day < before);
}

export function sum(rows: readonly Counted[]): number {
  return rows.reduce((all, { count }) => all + count, 0);
}

/** No rows if nothing was counted in any of them. */
export function orNone(rows: Cell[][]): Cell[][] {
  return rows.some(([, ...cells]) => cells.some(cell => Number(cell) > 0)) ? rows : [];
}
