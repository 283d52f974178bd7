import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Config } from '../server/config.ts';
import { findMissingDatabase } from '../server/missing-database.ts';
import { createProcessLog, type Wired, wire } from '../server/wire.ts';
import { complain, configOrExit, explainStore } from './complain.ts';
import { note } from './say.ts';
import { printFaults, printLines } from './terminal.ts';

export type Options = NonNullable<ParseArgsConfig['options']>;

/** Every command takes these. */
export const commonOptions = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const satisfies Options;

type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true }>
>['values'];

/** What was said: after the verb, where there are verbs. */
export type Call<O extends Options> = { given: string[]; values: Values<O> };

export type Verb<O extends Options> = {
  /** What must follow it, for a person: 'a file'. */
  needs?: string;
  /** How many words may follow it. */
  most: number;
  options: (keyof O)[];
} & (
  | { run(wired: Wired, call: Call<O>): Promise<void> }
  /** Opens no database. */
  | { runApart(config: Config, call: Call<O>): Promise<void> }
);

/** Said in a way the command does not know: it ends with where to read how it is said. */
export class Refusal extends Error {}

export function refuse(line: string): never {
  throw new Refusal(line);
}

/** 'sheet, mail or webhook' */
export function oneOf(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ');
}

/** 'npm run inbox', with which its usage begins. */
function nameOf(usage: string): string {
  return usage.split(' ', 3).join(' ').split('\n')[0] ?? '';
}

/** However it was read out on the phone. */
export function readReference(said: string): string {
  return said.trim().toUpperCase();
}

/** Lines at most, as --limit has it. */
export function readLimit(limit: string): number {
  if (!/^[1-9]\d{0,5}$/.test(limit)) refuse(`--limit is '${limit}', expected a whole number from 1.`);
  return Number(limit);
}

const period = /^(\d{1,5})([dh])$/;
const day = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/;
const hourMs = 60 * 60 * 1000;

/** '7d', '24h', a day or a time; where no zone is said, it is UTC, as in all that is shown. */
export function readTime(option: string, said: string, now: Date): string {
  const [, number, unit] = period.exec(said) ?? [];
  if (number)
    return new Date(now.getTime() - Number(number) * (unit === 'd' ? 24 : 1) * hourMs).toISOString();
  const time = new Date(moment.test(said) && !/(Z|[+-]\d{2}:\d{2})$/.test(said) ? `${said}Z` : said);
  const isDay = day.test(said);
  // 31 February would be taken for a day in March.
  const isReal = !Number.isNaN(time.getTime()) && (!isDay || time.toISOString().startsWith(said));
  if ((isDay || moment.test(said)) && isReal) return time.toISOString();
  return refuse(
    `${option} is '${said}', expected a day like 2026-11-01, a time like 2026-11-01T09:30Z, or 7d or 24h.`,
  );
}

type Command<O extends Options> = { usage: string; options: O };

/** `npm run NAME -- VERB …` */
export function runVerbs<const O extends Options & typeof commonOptions>({
  verbs,
  ...command
}: Command<O> & { verbs: Record<string, Verb<O>> }): Promise<void> {
  return runChosen(command, words => {
    const [verb, ...given] = words;
    if (verb === undefined) return undefined;
    const meant = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    return {
      name: verb,
      verb: meant ?? refuse(`There is no '${verb}': choose ${oneOf(Object.keys(verbs))}.`),
      given,
    };
  });
}

/** `npm run NAME -- …`, for a command that does one thing. */
export function runOnly<const O extends Options & typeof commonOptions>({
  name,
  verb,
  ...command
}: Command<O> & { name: string; verb: Verb<O> }): Promise<void> {
  return runChosen(command, given => ({ name, verb, given }));
}

type Chosen<O extends Options> = { name: string; verb: Verb<O>; given: string[] };

async function runChosen<O extends Options & typeof commonOptions>(
  { usage, options }: Command<O>,
  choose: (words: string[]) => Chosen<O> | undefined,
): Promise<void> {
  printFaults();
  try {
    await run(usage, options, choose);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The usage itself would push the reason off the screen.
    note(error.message);
    note(`How it is said: ${nameOf(usage)} -- --help`);
    process.exit(2);
  }
}

async function run<O extends Options & typeof commonOptions>(
  usage: string,
  options: O,
  choose: (words: string[]) => Chosen<O> | undefined,
): Promise<void> {
  const { values, positionals, tokens } = parse(options);
  if ('help' in values && values.help) return void printUsage(usage);
  if (positionals[0] === 'help') return void printUsage(usage);
  const chosen = choose(positionals);
  if (!chosen) {
    printUsage(usage);
    process.exit(2);
  }
  const { name, verb, given } = chosen;
  if (verb.needs && given.length === 0) refuse(`${name} takes ${verb.needs}.`);
  if (given.length > verb.most) refuse(`'${given.slice(verb.most).join(' ')}' was not expected.`);
  for (const token of tokens) {
    if (token.kind !== 'option' || token.name in commonOptions) continue;
    if (!verb.options.some(option => option === token.name)) refuse(`${name} takes no ${token.rawName}.`);
  }
  const config = configOrExit();
  const call = { given, values };
  if ('runApart' in verb) return verb.runApart(config, call);
  await using wired = await openDesk(config);
  await verb.run(wired, call);
}

function printUsage(usage: string): void {
  printLines(usage.trimEnd().split('\n'));
}

function parse<O extends Options>(options: O) {
  try {
    return parseArgs({ allowPositionals: true, options, tokens: true });
  } catch (error) {
    return refuse(`${(error as Error).message.split('.')[0]}.`);
  }
}

/** The parts of the server for a command beside it, which makes no database where there is none. */
async function openDesk(config: Config): Promise<Wired> {
  const missing = findMissingDatabase(config);
  if (missing) {
    complain(
      `There is no database at ${missing} that can be read: is DATA_DIR right? The first npm start makes one.`,
    );
  }
  const quiet = createProcessLog({ ...config, logLevel: 'error' });
  return wire(config, { log: quiet }).catch(error => complain(explainStore(error, config)));
}
