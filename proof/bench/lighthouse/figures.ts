import type { Figure } from '../../figures.ts';
import { median } from '../spread.ts';
import { categories, type Device, type LighthouseRun, type Metric } from './run-lighthouse.ts';

export type Contestant = 'ours' | 'bare' | 'peer';
export type Measured = { path: string; contestant: Contestant; isIndexed: boolean; runs: LighthouseRun[] };

/** Of every goal the page that is farthest from it, by the median of its runs. */
export function measurePages(measured: Measured[], device: Device): Figure[] {
  const ours = measured.filter(({ contestant }) => contestant === 'ours');
  const peer = measured.find(({ contestant }) => contestant === 'peer');
  const values = ({ runs }: Measured, metric: Metric) => runs.map(run => run[metric]);
  const middle = (of: Measured, metric: Metric) => median(values(of, metric));
  const bare = (path: string) =>
    measured.find(one => one.contestant === 'bare' && one.path === path) as Measured;
  /** By the median of its runs; of equal ones that with the worst run. */
  const worst = (rank: (run: LighthouseRun, of: Measured) => number, among = ours) => {
    const ranks = (of: Measured) => of.runs.map(run => rank(run, of));
    const compare = (one: number[], other: number[]) =>
      median(one) - median(other) || Math.max(...one) - Math.max(...other);
    return among.reduce((found, one) => (compare(ranks(one), ranks(found)) > 0 ? one : found));
  };
  const ratio = (to: (of: Measured) => Measured) => {
    const of = worst(({ lcp }, one) => lcp / middle(to(one), 'lcp'));
    return { of, values: values(of, 'lcp').map(lcp => lcp / middle(to(of), 'lcp')) };
  };
  const score = (category: (typeof categories)[number], goal: string, among = ours, which = ''): Figure => {
    const of = worst(run => -run[category], among);
    return { name: `lowest ${category}${which} (${of.path})`, values: values(of, category), goal };
  };
  const toBare = ratio(one => bare(one.path));
  const slowest = worst(({ tbt }) => tbt);
  const shifting = worst(({ cls }) => cls);
  const indexed = ours.filter(({ isIndexed }) => isIndexed);
  const isPhone = device === 'mobile';
  const lowest = peer && isPhone ? String(Math.min(...values(peer, 'performance'))) : '100';
  const home = ours.find(({ path }) => path === '/');
  const tbtOf = (one: Measured) => Math.round(middle(one, 'tbt'));
  const all: (Figure | false | undefined)[] = [
    score('performance', `at least ${lowest}`),
    score('accessibility', '100'),
    score('best-practices', '100'),
    // The others forbid to be listed, which Lighthouse counts as a fault.
    score('seo', '100', indexed, ` of the ${indexed.length} pages for search engines`),
    {
      ...{ name: `longest TBT (${slowest.path})`, unit: 'ms', values: values(slowest, 'tbt') },
      ...(peer &&
        isPhone && { goal: `at most ${tbtOf(peer) + 50} (moonshot ${tbtOf(bare(slowest.path)) + 50})` }),
    },
    peer && {
      name: `highest LCP / the peer's (${ratio(() => peer).of.path})`,
      values: ratio(() => peer).values,
      ...(isPhone && { goal: 'at most 0.9' }),
    },
    {
      ...{ name: `highest LCP / its words alone (${toBare.of.path})`, values: toBare.values },
      goal: `at most 1.3${isPhone ? ' (moonshot)' : ''}`,
    },
    { name: `highest CLS (${shifting.path})`, values: values(shifting, 'cls'), goal: 'at most 0.01' },
    home && { name: 'LCP, home page', unit: 'ms', values: values(home, 'lcp') },
    peer && isPhone && { name: "the peer's LCP", unit: 'ms', values: values(peer, 'lcp') },
    peer && isPhone && { name: "the peer's TBT", unit: 'ms', values: values(peer, 'tbt') },
  ];
  return all
    .filter(figure => typeof figure === 'object')
    .map(figure => ({ ...figure, name: `${device}: ${figure.name}` }));
}

export function measureShifts(measured: Measured[]): Figure[] {
  const of = measured.reduce((worst, one) => (middleShift(one) > middleShift(worst) ? one : worst));
  return [
    {
      name: `mobile, on a throttled line: highest CLS (${of.path})`,
      values: of.runs.map(({ cls }) => cls),
      goal: 'at most 0.01',
    },
  ];
}

const middleShift = ({ runs }: Measured) => median(runs.map(({ cls }) => cls));

/** Every run of one page, in the order of the rounds. */
export function listRuns({ contestant, path, runs }: Measured): Record<string, string> {
  const metrics: Metric[] = [...categories, 'lcp', 'tbt', 'cls'];
  const join = (metric: Metric) => runs.map(run => Number(run[metric].toFixed(4))).join(' ');
  return { contestant, path, ...Object.fromEntries(metrics.map(metric => [metric, join(metric)])) };
}
