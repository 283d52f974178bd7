import { formatNumber, formatShare } from './plot.ts';
import type { Row } from './rows.ts';

/** Three months, so that what is long over does not stand above what is read now. */
export const recentDays = 91;

export function recentSince(now: Date): string {
  return new Date(now.getTime() - recentDays * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

export type Ranked = { name: string; count: number };

const mostRows = 10;

/** The largest, each with its share, and one row for all the others. */
export function rank(found: readonly Ranked[]): { total: number; rows: Row[]; cells: string[][] } {
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const first = found.slice(0, mostRows);
  const rest = total - first.reduce((sum, { count }) => sum + count, 0);
  const all = rest > 0 ? [...first, { name: `${found.length - mostRows} others`, count: rest }] : first;
  const rows = all.map(({ name, count }, index) => ({
    name,
    value: count,
    text: formatNumber(count),
    mark: index < mostRows ? ('main' as const) : ('faint' as const),
  }));
  return { total, rows, cells: rows.map(({ name, value, text }) => [name, text, formatShare(value, total)]) };
}
