import type { Load, Probe } from './load.ts';
import { quantile } from './watch.ts';

export type Findings = { problems: string[]; notes: string[] };

/** Limits on any machine: how long a response may take, and how much memory many connections may add. */
const maxResponseMs = 8000;
const maxExtraMb = 150;
/** Pages, beside those of the same minute without overload: as the machine is, so are both. */
const slower = { times: 3, orMs: 500 };
const recoverWithinMs = 5000;
/** Far less than a request that is still queued would take. */
const soonMs = 1000;

export function checkLoad(load: Load, calm: Load): Findings {
  const { answers, pages, missingPages, memoryMb } = load;
  const problems: string[] = [];
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  for (const [status, { length }] of byStatus)
    if (![200, 429, 503].includes(status)) problems.push(`${length} answers of ${status}`);
  const mute = answers.filter(({ status, retryAfter }) => [429, 503].includes(status) && !retryAfter).length;
  if (mute > 0) problems.push(`${mute} were refused without Retry-After`);
  const accepted = answers.filter(({ status }) => status === 200).map(({ ms }) => ms);
  const refused = answers.filter(({ status }) => status !== 200).map(({ ms }) => ms);
  for (const [name, times] of [
    ['an accepted message', accepted],
    ['a refusal', refused],
  ] as const) {
    const slowest = quantile(times, 1);
    if (slowest > maxResponseMs) problems.push(`${name} took ${slowest.toFixed(0)} ms`);
  }
  if (memoryMb > calm.memoryMb + maxExtraMb)
    problems.push(`the process held ${memoryMb.toFixed(0)} MB, ${calm.memoryMb.toFixed(0)} without overload`);
  const [late, calmLate] = [pages, calm.pages].map(ms => quantile(ms, 0.99)) as [number, number];
  if (missingPages > 0) problems.push(`${missingPages} pages were not shown`);
  if (pages.length === 0 || late > Math.max(slower.orMs, slower.times * calmLate))
    problems.push(`p99 of pages was ${late.toFixed(0)} ms, ${calmLate.toFixed(0)} without overload`);
  const counts = [...byStatus].toSorted(([one], [other]) => one - other);
  return {
    problems,
    notes: [
      `answers ${counts.map(([status, { length }]) => `${status}: ${length}`).join(', ')}`,
      `accepted within ${spread(accepted)}; refused within ${spread(refused)}`,
      `pages within ${spread(pages)}; ${spread(calm.pages)} without overload`,
      `at most ${memoryMb.toFixed(0)} MB; ${calm.memoryMb.toFixed(0)} without overload`,
    ],
  };
}

/** Recovered is who, from then on, answers every message as before: at once, or twice as slowly as the slowest before. */
export function checkRecovery(probes: Probe[], quiet: Probe[], overAt: number): Findings {
  const slowest = quantile(
    quiet.map(({ ms }) => ms),
    1,
  );
  const bearableMs = Math.max(soonMs, 2 * slowest);
  const bad = probes.filter(({ status, ms }) => status !== 200 || ms > bearableMs);
  const lastBad = Math.max(overAt, ...bad.map(({ sentAt }) => sentAt));
  const next = probes.map(({ sentAt }) => sentAt).filter(sentAt => sentAt > lastBad);
  const tookMs = Math.min(...next) - overAt;
  const note = Number.isFinite(tookMs)
    ? `messages within ${bearableMs.toFixed(0)} ms again ${tookMs.toFixed(0)} ms after it was over`
    : `messages were not as fast as before at the end`;
  return tookMs <= recoverWithinMs ? { problems: [], notes: [note] } : { problems: [note], notes: [] };
}

function spread(ms: readonly number[]): string {
  const [middle, late, all] = [0.5, 0.99, 1].map(share => quantile(ms, share).toFixed(0));
  return `${middle} ms (p50), ${late} ms (p99), ${all} ms (all)`;
}
