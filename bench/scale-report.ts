import { availableParallelism } from 'node:os';
import type { Figure } from './figures.ts';
import { show } from './figures-page.ts';
import type { LoadResult } from './load.ts';
import { deriveLimits, measures, tellLimits } from './scale-page.ts';
import { median, spreadOf } from './spread.ts';
import { alignColumns } from './table.ts';

/** CPU time of all its server processes together, and of PostgreSQL with all of its own. */
export type Turn = LoadResult & { serverSeconds: number; databaseSeconds: number };
export type ScaleRound = {
  fsyncs: number;
  turns: Record<string, { processes: number; posts: Turn; pages: Turn }>;
};

type Setup = { seconds: number; rounds: number; connections: number };
type Kind = 'posts' | 'pages';

export function reportScale(rounds: ScaleRound[], setup: Setup): string {
  const cores = availableParallelism();
  return [
    `${setup.connections} connections to each process, ${setup.rounds} rounds of ${setup.seconds} s: medians, with the range over the rounds. Servers, PostgreSQL (fsync on) and the`,
    `load generator share ${cores} cores, none pinned, so that more processes cannot hold more here than ${cores} cores do: CPU time per`,
    "message is what carries over to other machines. Receivers are out of reach; what is measured is the intake. The disk's own",
    `fsyncs a second: ${spread(rounds.map(({ fsyncs }) => fsyncs))}.`,
    '',
    'POST /api/contact, durable',
    ...tableOf(rounds, 'posts', 'message'),
    '',
    'GET /contact',
    ...tableOf(rounds, 'pages', 'page'),
    '',
    ...derive(rounds),
  ].join('\n');
}

/** Each is named by its setup and by what was measured of it, one of `measures`. */
export function figuresOfScale(rounds: ScaleRound[]): Figure[] {
  return namesOf(rounds).flatMap(name => {
    const over = (kind: Kind, pick: (turn: Turn) => number) => turnsOf(rounds, name, kind).map(pick);
    const about = (what: string) => `${name}: ${what}`;
    const cpu = { unit: 'µs', better: 'lower' as const };
    const figures: Figure[] = [
      { name: about(measures.posts), unit: '', better: 'higher', values: over('posts', rate) },
      { name: about(measures.p99), unit: 'ms', better: 'lower', values: over('posts', ({ p99Ms }) => p99Ms) },
      { name: about(measures.servers), ...cpu, values: over('posts', serverMicros) },
      { name: about(measures.database), ...cpu, values: over('posts', databaseMicros) },
      { name: about(measures.pages), unit: '', better: 'higher', values: over('pages', rate) },
    ];
    return figures.filter(({ values }) => values.every(Number.isFinite) && values.some(value => value > 0));
  });
}

function tableOf(rounds: ScaleRound[], kind: Kind, what: string): string[] {
  const isOfDatabase = kind === 'posts';
  const rows = namesOf(rounds).map(name => {
    const turns = turnsOf(rounds, name, kind);
    const share = (pick: (turn: Turn) => number) =>
      `${((100 * median(turns.map(pick))) / availableParallelism()).toFixed(0)} %`;
    const databaseCells = [
      name.startsWith('SQLite') ? '' : spread(turns.map(databaseMicros)),
      share(({ databaseSeconds, seconds }) => databaseSeconds / seconds),
    ];
    return [
      name,
      spread(turns.map(rate)),
      spread(turns.map(({ p99Ms }) => p99Ms)),
      spread(turns.map(serverMicros)),
      share(({ serverSeconds, seconds }) => serverSeconds / seconds),
      ...(isOfDatabase ? databaseCells : []),
      share(({ generatorCpu }) => generatorCpu),
    ];
  });
  const head = ['database, processes', 'a second', 'p99 ms', `servers: CPU µs/${what}`, 'of all cores'];
  const databaseHead = isOfDatabase ? [`PostgreSQL: CPU µs/${what}`, 'of all cores'] : [];
  return alignColumns([[...head, ...databaseHead, 'generator: of all cores'], ...rows]);
}

/** From the CPU time that a message takes of each with the most processes that were tried. */
function derive(rounds: ScaleRound[]): string[] {
  const name = namesOf(rounds).at(-1) ?? '';
  const turns = turnsOf(rounds, name, 'posts');
  const limits = deriveLimits(median(turns.map(serverMicros)), median(turns.map(databaseMicros)));
  if (!limits) return ['CPU time is known on Linux alone: nothing is derived'];
  const rows = limits.map(({ cores, processes, messages }) => [String(cores), processes, messages]);
  return [
    `${tellLimits(name)}:`,
    ...alignColumns([['cores of PostgreSQL', 'processes', 'messages a second'], ...rows]),
  ];
}

function namesOf([round]: ScaleRound[]): string[] {
  const order = (name: string) => (name.startsWith('SQLite') ? 0 : Number(name.split(', ')[1]));
  return Object.keys(round?.turns ?? {}).toSorted((one, other) => order(one) - order(other));
}

function turnsOf(rounds: ScaleRound[], name: string, kind: Kind): Turn[] {
  return rounds.map(({ turns }) => turns[name]?.[kind]).filter(turn => turn !== undefined);
}

function rate({ requests, seconds }: LoadResult): number {
  return requests / seconds;
}

function serverMicros({ serverSeconds, requests }: Turn): number {
  return (serverSeconds * 1e6) / requests;
}

function databaseMicros({ databaseSeconds, requests }: Turn): number {
  return (databaseSeconds * 1e6) / requests;
}

function spread(values: number[]): string {
  const { median: middle, least, most } = spreadOf(values);
  return `${show(middle)} (${show(least)} – ${show(most)})`;
}
