import type { Figure } from './figures.ts';
import type { LoadResult } from './load.ts';
import { median, spreadOf } from './spread.ts';

export type Turn = LoadResult & { cpuSeconds: number | undefined };
export type IntakeRound = { fsyncs: number; loop: number; ours: Turn; bare: Turn };
export type LoopDelay = { p50Ms: number; p99Ms: number; maxMs: number };

type Setup = { seconds: number; rounds: number; connections: number };

export function reportIntake(rounds: IntakeRound[], delay: LoopDelay, setup: Setup): string {
  const rate = ({ requests, seconds }: LoadResult) => requests / seconds;
  const over = (pick: (round: IntakeRound) => number, digits = 0) => show(rounds.map(pick), digits);
  const fsyncMs = 1000 / median(rounds.map(round => round.fsyncs));
  const ratio = (pick: (round: IntakeRound) => number) => show(rounds.map(pick), 2);
  const micros = ({ cpuSeconds = Number.NaN, requests }: Turn) => (cpuSeconds / requests) * 1e6;
  return [
    `POST /api/contact, ${setup.connections} connections, ${setup.rounds} ×  ${setup.seconds} s: medians, with the range over the rounds.`,
    'Two receivers that are out of reach: what is measured is the intake, not the deliveries, which share its disk.',
    '',
    `the disk's own fsyncs/s               ${over(round => round.fsyncs)}`,
    `bare SQLite loop, messages/s          ${over(round => round.loop)}  (the same rows in groups of ${setup.connections}, no network)`,
    `bare node:http + group commit, /s     ${over(round => rate(round.bare))}`,
    `ours, durable posts/s                 ${over(round => rate(round.ours))}`,
    '',
    `ours, CPU µs a post                   ${over(round => micros(round.ours))}`,
    `bare, CPU µs a post                   ${over(round => micros(round.bare))}`,
    `ours p50 ms                           ${over(round => round.ours.p50Ms, 2)}`,
    `ours p99 ms                           ${over(round => round.ours.p99Ms, 2)}`,
    `bare p99 ms                           ${over(round => round.bare.p99Ms, 2)}`,
    `our event loop held up, ms            median ${delay.p50Ms.toFixed(2)}, p99 ${delay.p99Ms.toFixed(2)}, longest ${delay.maxMs.toFixed(2)}`,
    '',
    'Ratios within each round',
    `  ours / bare SQLite loop             ${ratio(round => rate(round.ours) / round.loop)}  goal at least 0.6: ${reached(median(rounds.map(round => rate(round.ours) / round.loop)) >= 0.6)}`,
    `  ours / bare node:http               ${ratio(round => rate(round.ours) / rate(round.bare))}`,
    `  the same by CPU time                ${ratio(round => micros(round.bare) / micros(round.ours))}`,
    `  bare node:http / bare SQLite loop   ${ratio(round => rate(round.bare) / round.loop)}  (what HTTP alone leaves of it)`,
    `  our p99 in fsyncs of ${fsyncMs.toFixed(2)} ms        ${ratio(round => (round.ours.p99Ms * round.fsyncs) / 1000)}  goal under 10: ${reached(median(rounds.map(round => (round.ours.p99Ms * round.fsyncs) / 1000)) < 10)}`,
    `  bare p99 in fsyncs                  ${ratio(round => (round.bare.p99Ms * round.fsyncs) / 1000)}`,
    `  our p99 / bare p99                  ${ratio(round => round.ours.p99Ms / round.bare.p99Ms)}`,
  ].join('\n');
}

export function figuresOfIntake(rounds: IntakeRound[], delay: LoopDelay): Figure[] {
  const over = (pick: (round: IntakeRound) => number) => rounds.map(pick).filter(Number.isFinite);
  const rate = ({ requests, seconds }: LoadResult) => requests / seconds;
  const micros = ({ cpuSeconds = Number.NaN, requests }: Turn) => (cpuSeconds / requests) * 1e6;
  const all: Figure[] = [
    {
      ...{ name: 'durable posts a second', unit: '', better: 'higher' },
      values: over(({ ours }) => rate(ours)),
    },
    {
      ...{ name: 'posts / bare SQLite loop', unit: '', better: 'higher', goal: 'at least 0.6' },
      values: over(({ ours, loop }) => rate(ours) / loop),
    },
    { name: 'CPU time per post', unit: 'µs', better: 'lower', values: over(({ ours }) => micros(ours)) },
    { name: 'p99', unit: 'ms', better: 'lower', values: over(({ ours }) => ours.p99Ms) },
    {
      ...{ name: 'p99 in fsyncs of the disk', unit: '', better: 'lower', goal: 'under 10' },
      values: over(({ ours, fsyncs }) => (ours.p99Ms * fsyncs) / 1000),
    },
    { name: 'event loop held up, p99', unit: 'ms', better: 'lower', values: [delay.p99Ms] },
    {
      ...{ name: "the disk's own fsyncs a second", unit: '', better: 'higher' },
      values: over(({ fsyncs }) => fsyncs),
    },
  ];
  return all.filter(({ values }) => values.length > 0);
}

function show(values: number[], digits: number): string {
  const { median: middle, least, most } = spreadOf(values);
  const text = (value: number) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${text(middle)} (${text(least)} – ${text(most)})`;
}

function reached(isSo: boolean): string {
  return isSo ? 'reached' : 'not reached';
}
