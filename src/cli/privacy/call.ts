import { createTrace, type Trace } from '../../domain/privacy/trace.ts';
import type { Wired } from '../../server/wire.ts';
import { type Call as AnyCall, commonOptions, refuse } from '../command.ts';
import { complain, reason } from '../complain.ts';

export { readReference, refuse } from '../command.ts';

export type Call = AnyCall<typeof options>;

export const options = {
  with: { type: 'string', multiple: true },
  reference: { type: 'string' },
  name: { type: 'string' },
  email: { type: 'string' },
  yes: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  ...commonOptions,
} as const;

export function readTrace(address = ''): Trace {
  return createTrace(address) ?? refuse(`'${address}' is not an e-mail address.`);
}

/** What the verbs of the domain take. */
export function depsOf({ store, copies, newsletter, audit, ledger, clock, ids }: Wired) {
  const { privacy, subscribers } = store;
  return { privacy, subscribers, copies, newsletter: newsletter.naming, audit, ledger, clock, ids };
}

/** What a disk, a file of the owner's or a database does not allow is one line, and not a stack. */
export function plainly(run: (wired: Wired, call: Call) => Promise<void>) {
  return async (wired: Wired, call: Call): Promise<void> => {
    try {
      await run(wired, call);
    } catch (error) {
      const isOutside = error instanceof Error && ('code' in error || 'errcode' in error);
      if (!isOutside) throw error;
      complain(`It could not be done: ${reason(error)}. What was done so far stays; say it again.`);
    }
  };
}
