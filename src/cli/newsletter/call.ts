import { parseArgs } from 'node:util';
import type { Wired } from '../../server/wire.ts';

/** What was said after the verb. */
export type Call = { given: string[]; values: ReturnType<typeof readArguments>['values'] };

export function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options, tokens: true });
  } catch (error) {
    return refuse((error as Error).message.split('.')[0] ?? '');
  }
}

const options = {
  to: { type: 'string' },
  state: { type: 'string' },
  limit: { type: 'string', default: '100' },
  yes: { type: 'boolean', default: false },
  'resend-unsure': { type: 'boolean', default: false },
  'resend-failed': { type: 'boolean', default: false },
  'no-wait': { type: 'boolean', default: false },
  csv: { type: 'boolean', default: false },
  confirmed: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export type Run = (wired: Wired, call: Call) => Promise<void>;

/** Said in a way the command does not know: it ends with the way to say it. */
export class Refusal extends Error {}

export function refuse(line: string): never {
  throw new Refusal(line);
}

/** '1 letter', '1,200 letters' */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;
}
