import * as v from 'valibot';
import type { ListPagePaths } from './content/page-view.ts';
import type { IssueSource } from './issue-source.ts';
import type { Parts } from './new-file.ts';
import type { CorrectableField } from './personal-data.ts';

export type InputSchema = v.GenericSchema & { entries: v.ObjectEntries };

/** What the owner can do, defined once: a command is made of it, `--json` prints its result, and the desk posts it. */
export type Action<
  Input extends InputSchema = InputSchema,
  Result = unknown,
  Needs = unknown,
  Config = unknown,
> = {
  name: string;
  about: string;
  /** What follows its name: for the help, and for docs/owner/commands.md, where each runs in a test. */
  examples: readonly string[];
  /** Fields without a title are no arguments of the command. */
  input: Input;
  /** The messages stay readable while a setting of a receiver is wrong; a preview needs no database. */
  opens?: 'database' | 'nothing';
  /** What a command opens for it instead of the running site's database. Disposed of in the end. */
  open?(config: Config, input: v.InferOutput<Input>, progress: Progress): Promise<Needs & AsyncDisposable>;
  confirm?(needs: Needs, input: v.InferOutput<Input>): Promise<Question>;
  run(needs: Needs, input: v.InferOutput<Input>, progress?: Progress): Promise<Result>;
  print(result: Result, input: v.InferOutput<Input>, needs: Needs): Printed[];
  /** Where less than the result is for programs. Nothing is printed for undefined. */
  json?(result: Result, input: v.InferOutput<Input>): unknown;
  /** What goes to the file that the input names, or to standard output. */
  file?(result: Result): Parts;
  exitCode?(result: Result): number;
};

/** Without a text nothing is asked. `otherwise`: what the answer no means. */
export type Question = { shows: Printed[]; text: string | undefined; otherwise: string };

export type Progress = (part: Printed) => void;

export type Cell = string | number | null;
export type Row = Record<string, Cell>;
type Table = readonly Row[];

/** A note, one that only a terminal shows, a table, lines of a text, or an error, which is printed beside JSON, too. */
export type Printed =
  | string
  | false
  | undefined
  | { watched: string }
  | Table
  | { lines: readonly string[] }
  | { error: string };

/** Nothing was done, and why. */
export class Refusal extends Error {
  readonly details: readonly string[];
  readonly exitCode: number;
  constructor(message: string, details: readonly string[] = [], exitCode = 1) {
    super(message);
    this.details = details;
    this.exitCode = exitCode;
  }
}

/** The arguments are wrong; the help is named. */
export class UsageError extends Error {}

/** What `npm run NAME` lists as its subcommands. `title` and `notes` are for docs/owner/commands.md. */
export type ActionList = { title: string; about: string; actions: readonly Action[]; notes: string };

/** By the names of their commands, loaded when a command is run. */
export type Commands = Record<
  string,
  (features: readonly FeatureFields[], listPagePaths: ListPagePaths) => Promise<Action | ActionList>
>;

/** What the actions and the desk of one feature know of the others. */
export type FeatureFields = {
  personalFields?: readonly CorrectableField[];
  issueSource?(): Promise<IssueSource>;
};

type Verb = (deps: never, ...rest: never[]) => unknown;

/** What a verb needs, or all of several: DepsOf<typeof changeMessage | typeof addNote>. */
export type DepsOf<Verbs extends Verb> = (
  Verbs extends (deps: infer Deps, ...rest: never[]) => unknown
    ? (deps: Deps) => void
    : never
) extends (deps: infer All) => void
  ? All
  : never;

/** Of the wired parts of the site, an action takes those that it needs. */
export function actionsNeeding<Needs, Config = unknown>() {
  return <Input extends InputSchema, Result>(
    action: Action<Input, Result, Needs, Config>,
  ): Action<Input, Result, Needs, Config> => action;
}

/** `flags` as in the help: '<file>' for an argument, '--since <time>' for an option. */
export function field<Schema extends v.GenericSchema>(flags: string, about: string, schema: Schema) {
  return v.pipe(schema, v.title(flags), v.description(about));
}

export function optional<Schema extends v.GenericSchema>(flags: string, about: string, schema: Schema) {
  return field(flags, about, v.optional(schema));
}

export function flag(flags: string, about: string) {
  return field(flags, about, v.optional(v.boolean(), false));
}

/** Ignores case and surrounding spaces, because references are read out on the phone. */
export const reference = v.pipe(v.string(), v.trim(), v.toUpperCase());

/** A text that `parse` can read. */
export function parsed<Value>(parse: (given: string) => Value | undefined, expected: string) {
  return v.pipe(
    v.string(),
    v.transform(parse),
    v.custom<Value>(value => value !== undefined, expected),
  );
}

export const limit = field(
  '--limit <n>',
  'maximum number of rows',
  v.optional(
    v.pipe(v.string(), v.regex(/^[1-9]\d{0,5}$/, 'Expected a positive integer.'), v.transform(Number)),
    '100',
  ),
);

const period = /^(\d{1,5})([dh])$/;
const day = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/;
const hourMs = 60 * 60 * 1000;

/** As an ISO time, or undefined. */
function parseTime(given: string): string | undefined {
  const [, number, unit] = period.exec(given) ?? [];
  if (number) return new Date(Date.now() - Number(number) * (unit === 'd' ? 24 : 1) * hourMs).toISOString();
  const time = new Date(moment.test(given) && !/(Z|[+-]\d{2}:\d{2})$/.test(given) ? `${given}Z` : given);
  const isDay = day.test(given);
  const isReal = !Number.isNaN(time.getTime()) && (!isDay || time.toISOString().startsWith(given));
  return (isDay || moment.test(given)) && isReal ? time.toISOString() : undefined;
}

export const time = parsed(
  parseTime,
  'Expected a date such as 2026-11-01, a time such as 2026-11-01T09:30Z, or 7d or 24h.',
);

export const since = optional('--since <time>', 'start, e.g. 2026-11-01, 2026-11-01T09:30Z, 7d or 24h', time);

export function describeShown(shown: number, total: number | null, isExact = true): string {
  const format = (number: number) => number.toLocaleString('en-GB');
  if (total === null) return `Showing ${format(shown)}; there are more.`;
  return `Showing ${format(shown)} of ${isExact ? '' : 'more than '}${format(total)}.`;
}
