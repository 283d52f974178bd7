import { type Call as AnyCall, commonOptions } from '../command.ts';

export type Call = AnyCall<typeof options>;

export const options = {
  replace: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  moved: { type: 'boolean', default: false },
  erasures: { type: 'string' },
  force: { type: 'boolean', default: false },
  ...commonOptions,
} as const;
