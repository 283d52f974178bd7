import type { Wired } from '../../server/wire.ts';
import { type Call as AnyCall, commonOptions, oneOf, readReference, readTime, refuse } from '../command.ts';

export { refuse } from '../command.ts';

/** What was said after the verb. */
export type Call = AnyCall<typeof options>;

export const options = {
  since: { type: 'string' },
  service: { type: 'string' },
  state: { type: 'string' },
  search: { type: 'string' },
  limit: { type: 'string', default: '100' },
  before: { type: 'string' },
  csv: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  dead: { type: 'boolean', default: false },
  waiting: { type: 'boolean', default: false },
  to: { type: 'string' },
  reason: { type: 'string' },
  yes: { type: 'boolean' },
  ...commonOptions,
} as const;

export type Filter = Parameters<Wired['store']['messages']['count']>[0];

const states = ['new', 'quarantined', 'empty', 'spam'] as const;

/** Which messages are meant: what list and export are told in the same words. */
export function readFilter({ values }: Call, now: Date): { filter: Filter; words: string | undefined } {
  const state = states.find(name => name === values.state);
  if (values.state !== undefined && !state)
    refuse(`There is no state '${values.state}': choose ${oneOf(states)}.`);
  if (values.search !== undefined && !values.search.trim()) refuse('--search takes words to look for.');
  return {
    filter: {
      ...(state && { state }),
      ...(values.service !== undefined && { service: values.service }),
      ...(values.since !== undefined && { since: readTime('--since', values.since, now) }),
    },
    words: values.search,
  };
}

/** Letters to readers of the newsletter are no messages; `npm run newsletter` tells of them. */
export const receivers = ['sheet', 'mail', 'webhook'];

export function readReceiver({ values: { to } }: Call): string | undefined {
  if (to !== undefined && !receivers.includes(to))
    refuse(`There is no receiver '${to}': choose ${oneOf(receivers)}.`);
  return to;
}

export function readReferences({ given }: Call): string[] {
  return given.map(readReference);
}

/** Nobody reads on to the end of more than these, and counting them takes as long as reading them. */
const mostCounted = 10_000;

export async function countUpTo(
  count: (most: number) => Promise<number>,
): Promise<{ total: number; isTotalExact: boolean }> {
  const counted = await count(mostCounted + 1);
  return { total: Math.min(counted, mostCounted), isTotalExact: counted <= mostCounted };
}

export function tellShown(shown: number, total: number | null, isExact: boolean): string {
  const count = (number: number) => number.toLocaleString('en-GB');
  if (total === null) return `${count(shown)} are shown, and there are more.`;
  return `${count(shown)} of ${isExact ? '' : 'more than '}${count(total)} are shown.`;
}
