import type { Post } from './types.ts';

/** The company's clock: a post of a day appears when that day begins in London. */
const zone = 'Europe/London';

/** The day that it is, as 2026-11-02. */
export function dayOf(now: Date): string {
  return now.toLocaleDateString('sv-SE', { timeZone: zone });
}

/** '2 November 2026' */
export function writeDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}

/** Whether a build of this day shows it. */
export function isDue({ isDraft, date }: Pick<Post, 'isDraft' | 'date'>, today: string): boolean {
  return !isDraft && date <= today;
}
