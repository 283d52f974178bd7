import type { Check } from './check.ts';

/** Every check, in the order of the report. */
export const checks: readonly Check[] = [];
