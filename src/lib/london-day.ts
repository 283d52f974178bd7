/** A post appears when its day begins in London. */
const timeZone = 'Europe/London';

export function getLondonDay(now: Date): string {
  return now.toLocaleDateString('sv-SE', { timeZone });
}

export function formatDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}

export function isDue({ isDraft, date }: { isDraft: boolean; date: string }, today: string): boolean {
  return !isDraft && date <= today;
}
