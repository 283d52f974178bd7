import { writePeriod } from '../lib/periods.ts';

/** For how long, in words for whoever it is about. */
export function writeKept(days: number): string {
  return days === 0 ? 'until it is no longer needed' : writePeriod(days);
}
