import { type Call as AnyCall, commonOptions } from '../command.ts';

export { refuse } from '../command.ts';
export { count } from '../say.ts';

/** What was said after the verb. */
export type Call = AnyCall<typeof options>;

export const options = {
  to: { type: 'string' },
  state: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  network: { type: 'string' },
  limit: { type: 'string', default: '100' },
  yes: { type: 'boolean', default: false },
  'resend-unsure': { type: 'boolean', default: false },
  'resend-failed': { type: 'boolean', default: false },
  'no-wait': { type: 'boolean', default: false },
  csv: { type: 'boolean', default: false },
  confirmed: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  ...commonOptions,
} as const;
