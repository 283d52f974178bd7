const dayMs = 24 * 60 * 60 * 1000;
/** Six years: a clock that once stood at 1970 must not make a picture of dust. */
const mostWeeks = 312;

/** Counts by name for each week, oldest first, with no week left out. `outside`: what lies in none of them. */
export type Weeks = { weeks: Week[]; outside: number };
export type Week = { monday: string; counts: Record<string, number> };

/** Folds days into weeks that begin on Monday, in UTC, from the first day there is up to now. */
export function foldWeeks(days: readonly { day: string; name: string; count: number }[], now: Date): Weeks {
  const last = mondayOf(now.toISOString().slice(0, 10));
  const mondays = days.map(({ day }) => mondayOf(day)).filter(monday => monday <= last);
  if (mondays.length === 0) return { weeks: [], outside: days.reduce((sum, { count }) => sum + count, 0) };
  const first = mondays.reduce((one, other) => (one < other ? one : other));
  const weeks = new Map(listMondays(first, last).map(monday => [monday, { monday, counts: {} } as Week]));
  let outside = 0;
  for (const { day, name, count } of days) {
    const week = weeks.get(mondayOf(day));
    if (week) week.counts[name] = (week.counts[name] ?? 0) + count;
    else outside += count;
  }
  return { weeks: [...weeks.values()], outside };
}

export function mondayOf(day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`);
  // Sunday is 0, and the last day of its week.
  const since = (new Date(time).getUTCDay() + 6) % 7;
  return new Date(time - since * dayMs).toISOString().slice(0, 10);
}

function listMondays(first: string, last: string): string[] {
  const end = Date.parse(last);
  const begin = Math.max(Date.parse(first), end - (mostWeeks - 1) * 7 * dayMs);
  const mondays: string[] = [];
  for (let time = begin; time <= end; time += 7 * dayMs) {
    mondays.push(new Date(time).toISOString().slice(0, 10));
  }
  return mondays;
}
