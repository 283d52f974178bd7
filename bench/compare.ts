import { type Figure, readSections, type Section } from './figures.ts';
import { showMedian } from './figures-page.ts';
import { say } from './options.ts';
import { spreadOf } from './spread.ts';

/** A figure of one run says nothing about its own noise: so much either way is taken for it. */
const usualNoise = 0.1;
/** Two runs of many rounds may lie apart by a hair without a reason. */
const leastNoise = 0.02;

/** Names every figure whose newest run is worse than the one before it by more than the noise of both. */
export async function benchCompare(): Promise<undefined> {
  const { lines, worse } = compareSections(readSections());
  for (const line of lines) say(line);
  if (worse > 0) process.exitCode = 1;
}

export function compareSections(sections: readonly Section[]): { lines: string[]; worse: number } {
  if (sections.length === 0)
    return { lines: ['Nothing is kept to compare: run a bench twice with --figures'], worse: 0 };
  let worse = 0;
  const lines = sections.flatMap(section => {
    const found = findWorse(section);
    if (found === undefined)
      return [`${section.title}: not compared, no earlier run of this command on this machine`];
    worse += found.worse.length;
    if (found.worse.length > 0) return found.worse.map(line => `${section.title}: ${line}`);
    return [`${section.title}: ${found.compared} figures, none worse than at ${found.before}`];
  });
  const sum = worse === 1 ? '1 figure got worse' : `${worse || 'No'} figures got worse`;
  return { lines: [...lines, `${sum} by more than the noise`], worse };
}

type Found = { worse: string[]; compared: number; before: string };

/** Undefined where there is nothing to compare with: another machine or command makes other figures. */
export function findWorse({ runs: [newest, ...earlier] }: Pick<Section, 'runs'>): Found | undefined {
  const before = earlier.find(
    ({ machine, command }) => machine === newest?.machine && command === newest.command,
  );
  if (!newest || !before) return undefined;
  const pairs = newest.figures.flatMap(now => {
    const then = before.figures.find(({ name }) => name === now.name);
    return then ? [{ now, then }] : [];
  });
  const worse = pairs
    .filter(({ now, then }) => isWorse(now, then))
    .map(({ now, then }) => `${now.name} was ${showMedian(then)} (${before.commit}), is ${showMedian(now)}`);
  return { worse, compared: pairs.length, before: `${before.commit} (${before.date})` };
}

/** With its best value worse than it was with its worst. */
export function isWorse(now: Figure, then: Figure): boolean {
  return rangeOf(now).best > rangeOf(then).worst;
}

/** As if lower were better: what is not counted against a goal has at least its usual noise around it. */
function rangeOf({ values, unit, better, goal }: Figure): { best: number; worst: number } {
  const { median, least, most } = spreadOf(better === 'higher' ? values.map(value => -value) : values);
  const isExact = unit === '' && goal !== undefined && values.every(Number.isInteger);
  const share = isExact ? 0 : values.length > 1 ? leastNoise : usualNoise;
  const noise = Math.abs(median) * share;
  const [best, worst] = [Math.min(least, median - noise), Math.max(most, median + noise)];
  if (better !== 'zero') return { best, worst };
  const [near = 0, far = 0] = [Math.abs(best), Math.abs(worst)].sort((one, other) => one - other);
  return { best: best <= 0 && worst >= 0 ? 0 : near, worst: far };
}
