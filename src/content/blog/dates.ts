import type { Post } from './types.ts';

/** A post appears when its day begins in London. */
const zone = 'Europe/London';

/** As 2026-11-02. */
export function dayOf(now: Date): string {
  return now.toLocaleDateString('sv-SE', { timeZone: zone });
}

export function writeDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}

export function isDue({ isDraft, date }: Pick<Post, 'isDraft' | 'date'>, today: string): boolean {
  return !isDraft && date <= today;
}
