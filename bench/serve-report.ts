import type { Figure } from './figures.ts';
import type { LoadResult } from './load.ts';
import { median, type Spread, spreadOf } from './spread.ts';
import { alignColumns } from './table.ts';

export type Turn = LoadResult & {
  version: string;
  headBytes: number;
  bodyBytes: number;
  cpuSeconds: number | undefined;
};

/** One turn of each server, by its name. */
export type Round = Record<string, Turn>;

type Setup = { target: string; seconds: number; rounds: number; connections: number };

/** A generator busier than this sets the pace itself. */
const saturated = 0.95;
/** Where neither side is this busy, something else had the core. */
const shared = 0.8;

const order = ['ours', 'nginx', 'sirv'];

const goals = [
  { other: 'nginx', goal: 3, shown: '3', moonshot: 2 },
  { other: 'sirv', goal: 1 / 3, shown: '1/3', moonshot: undefined },
];

export function reportServe(rounds: Round[], setup: Setup): string {
  const names = order.filter(name => rounds[0]?.[name]);
  const lines = [
    `GET ${setup.target}, gzip body of ${rounds[0]?.ours?.bodyBytes} bytes, ${setup.connections} connections,`,
    `${setup.rounds} rounds of ${setup.seconds} s: medians, with the range over the rounds.`,
    'nginx and sirv send our security headers too; CPU time is user and system time of all their processes.',
    '',
    ...alignColumns([headings, ...names.map(name => rowOf(name, rounds))]),
    '',
    ...warnings(names, rounds),
    'CPU time per request, ratio within each round',
    ...goals.map(goal => ratioLine(rounds, goal)),
  ];
  return lines.join('\n');
}

export function figuresOfServe(rounds: Round[]): Figure[] {
  const ours = turnsOf('ours', rounds);
  const ratios = goals.map(({ other, shown }) => ({
    ...{ name: `our CPU time per request / ${other}'s`, unit: '', goal: `at most ${shown}` },
    ...{ values: cpuRatios(rounds, other), better: 'lower' as const },
  }));
  const all: Figure[] = [
    ...ratios,
    {
      ...{ name: 'CPU time per request', unit: 'µs', better: 'lower' },
      values: ours.map(cpuMicros).filter(value => value !== undefined),
    },
    {
      ...{ name: 'requests a second, one core', unit: '', better: 'higher' },
      values: ours.map(({ requests, seconds }) => requests / seconds),
    },
    { name: 'p99', unit: 'ms', values: ours.map(({ p99Ms }) => p99Ms), better: 'lower' },
  ];
  return all.filter(({ values }) => values.length > 0);
}

/** Our CPU time per request as a multiple of another's, round by round. */
function cpuRatios(rounds: Round[], other: string): number[] {
  return rounds.flatMap(round => {
    const [our, their] = [cpuMicros(round.ours), cpuMicros(round[other])];
    return our === undefined || their === undefined ? [] : [our / their];
  });
}

const headings = [
  'server',
  'requests/s',
  'CPU µs/request',
  'p99 ms',
  'head bytes',
  'server CPU',
  'generator CPU',
];

function rowOf(name: string, rounds: Round[]): string[] {
  const turns = turnsOf(name, rounds);
  const cpu = turns.map(cpuMicros).filter(value => value !== undefined);
  return [
    `${name} (${turns[0]?.version})`,
    showSpread(spreadOf(turns.map(turn => turn.requests / turn.seconds)), 0),
    cpu.length > 0 ? showSpread(spreadOf(cpu), 1) : 'needs /proc (Linux)',
    showSpread(spreadOf(turns.map(turn => turn.p99Ms)), 1),
    String(turns[0]?.headBytes),
    cpu.length > 0 ? showShare(turns.map(serverCpu)) : '',
    showShare(turns.map(turn => turn.generatorCpu)),
  ];
}

/** CPU time per request suffers less, as it counts what the server itself used; a shared cache still inflates it. */
function warnings(names: string[], rounds: Round[]): string[] {
  const lines = names.flatMap(name => {
    const turns = turnsOf(name, rounds);
    const generator = median(turns.map(turn => turn.generatorCpu));
    if (generator > saturated) {
      return [`${name} saturated the generator: its requests/s is a lower bound, unlike its CPU/request.`];
    }
    return turns.every(hasCpu) && Math.max(generator, median(turns.map(serverCpu))) < shared
      ? [`${name} had to share its core: its requests/s and p99 say little, the ratios below say more.`]
      : [];
  });
  return lines.length > 0 ? [...lines, ''] : [];
}

function hasCpu(turn: Turn): boolean {
  return turn.cpuSeconds !== undefined;
}

function serverCpu(turn: Turn): number {
  return (turn.cpuSeconds ?? 0) / turn.seconds;
}

function ratioLine(rounds: Round[], { other, goal, shown, moonshot }: (typeof goals)[number]): string {
  const name = `  ours / ${other}`.padEnd(16);
  const ratios = cpuRatios(rounds, other);
  if (ratios.length === 0) return `${name}not measured (goal: at most ${shown})`;
  const spread = spreadOf(ratios);
  const verdict = (limit: number) => {
    const word = spread.median <= limit ? 'reached' : 'not reached';
    return spread.least <= limit && spread.most > limit ? `${word} (undecided: rounds on both sides)` : word;
  };
  const further = moonshot === undefined ? '' : `; moonshot at most ${moonshot}: ${verdict(moonshot)}`;
  return `${name}${showSpread(spread, 2)}  goal at most ${shown}: ${verdict(goal)}${further}`;
}

function turnsOf(name: string, rounds: Round[]): Turn[] {
  return rounds.map(round => round[name]).filter(turn => turn !== undefined);
}

function cpuMicros(turn: Turn | undefined): number | undefined {
  return turn?.cpuSeconds === undefined ? undefined : (turn.cpuSeconds / turn.requests) * 1e6;
}

function showSpread({ median, least, most }: Spread, digits: number): string {
  const show = (value: number) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${show(median)} (${show(least)} – ${show(most)})`;
}

function showShare(values: number[]): string {
  return `${showSpread(spreadOf(values.map(value => value * 100)), 0)} %`;
}
