import type { Figure } from './figures.ts';
import {
  type FirstTap,
  moments,
  shortest,
  slowdown as tapSlowdown,
  targets,
} from './interaction/first-taps.ts';
import { type Way, slowdown as waySlowdown } from './interaction/ways.ts';
import { median, spreadOf } from './spread.ts';
import { alignColumns, goalLine } from './table.ts';

const goalMs = 100;
const goal = `under ${goalMs}`;

export function reportInteraction({ taps, ways }: { taps: FirstTap[]; ways: Way[] }, runs: number): string {
  return [
    `Medians of ${runs} runs, with the range. The first tap on a phone whose CPU is ${tapSlowdown} times slower than this one:`,
    `INP in ms, as the browser itself counts it (in steps of 8; what takes less than ${shortest} is told as ${shortest}).`,
    "'boot' and 'react': how far the page was when it was touched.",
    '',
    ...alignColumns([['first tap', 'INP', 'of which waiting', 'page', 'goal', ''], ...tapRows(taps)]),
    '',
    `From the click to the first frame with the new heading, in ms, on a CPU ${waySlowdown} times slower`,
    '',
    ...alignColumns([['to', 'median', 'goal', ''], ...wayRows(ways)]),
  ].join('\n');
}

export function figuresOfInteraction({ taps, ways }: { taps: FirstTap[]; ways: Way[] }): Figure[] {
  const figure = (name: string, values: number[]): Figure => ({
    ...{ name, unit: 'ms', values, better: 'lower', goal },
  });
  const first = Map.groupBy(taps, ({ name, moment }) => `first tap: ${name}, ${moment} React`);
  const byPointer = Map.groupBy(ways, ({ pointer }) => `from a click to the next heading by ${pointer}`);
  return [
    ...[...first].map(([name, found]) =>
      figure(
        name,
        found.map(({ inp }) => inp),
      ),
    ),
    ...[...byPointer].map(([name, found]) =>
      figure(
        name,
        found.map(({ ms }) => ms),
      ),
    ),
  ];
}

function tapRows(taps: FirstTap[]): string[][] {
  return targets.flatMap(({ name }) =>
    moments.map(moment => {
      const found = taps.filter(tap => tap.name === name && tap.moment === moment);
      const inp = found.map(tap => tap.inp);
      const [called = '', figure = '', ...verdict] = goalLine(
        `${name}, ${moment} React`,
        show(inp),
        goal,
        median(inp) < goalMs,
      );
      const states = [...new Set(found.map(({ state }) => state))].join(', ');
      return [called, figure, median(found.map(tap => tap.delay)).toFixed(0), states, ...verdict];
    }),
  );
}

function wayRows(ways: Way[]): string[][] {
  const row = (name: string, found: Way[]) => {
    const times = found.map(({ ms }) => ms);
    return goalLine(name, show(times), goal, median(times) < goalMs);
  };
  const byPlace = Map.groupBy(ways, ({ to, pointer }) => `${to} by ${pointer}`);
  const byPointer = Map.groupBy(ways, ({ pointer }) => `all pages by ${pointer}`);
  return [...byPlace, ...byPointer].map(([name, found]) => row(name, found));
}

function show(values: number[]): string {
  const { median: middle, least, most } = spreadOf(values);
  return `${middle.toFixed(0)} (${least.toFixed(0)} – ${most.toFixed(0)})`;
}
