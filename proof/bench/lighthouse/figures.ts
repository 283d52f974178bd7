import type { Figure } from '../../figures.ts';
import { median } from '../spread.ts';
import type { categories, Device, LighthouseRun } from './run-lighthouse.ts';

export type Contestant = 'ours' | 'bare' | 'peer';
export type Measured = { path: string; contestant: Contestant; isIndexed: boolean; runs: LighthouseRun[] };

type Metric = keyof LighthouseRun;

/** Of every goal the page that is farthest from it, by the median of its runs. */
export function measurePages(measured: Measured[], device: Device): Figure[] {
  const ours = measured.filter(({ contestant }) => contestant === 'ours');
  const peer = measured.find(({ contestant }) => contestant === 'peer');
  const values = ({ runs }: Measured, metric: Metric) => runs.map(run => run[metric]);
  const middle = (of: Measured, metric: Metric) => median(values(of, metric));
  const bare = (path: string) =>
    measured.find(one => one.contestant === 'bare' && one.path === path) as Measured;
  const worst = (rank: (of: Measured) => number, among = ours) =>
    among.reduce((found, one) => (rank(one) > rank(found) ? one : found));
  const ratio = (to: (of: Measured) => Measured) => {
    const of = worst(one => middle(one, 'lcp') / middle(to(one), 'lcp'));
    return { of, values: values(of, 'lcp').map(lcp => lcp / middle(to(of), 'lcp')) };
  };
  const score = (category: (typeof categories)[number], goal: string, among = ours): Figure => {
    const of = worst(one => -middle(one, category), among);
    return { name: `lowest ${category} (${of.path})`, values: values(of, category), goal };
  };
  const toBare = ratio(one => bare(one.path));
  const slowest = worst(one => middle(one, 'tbt'));
  const shifting = worst(one => middle(one, 'cls'));
  const indexed = ours.filter(({ isIndexed }) => isIndexed);
  const isPhone = device === 'mobile';
  const lowest = peer && isPhone ? String(Math.min(...values(peer, 'performance'))) : '100';
  const lcpGoal = isPhone ? undefined : 'at most 1.3';
  const all: (Figure | false | undefined)[] = [
    score('performance', `at least ${lowest}`),
    score('accessibility', '100'),
    score('best-practices', '100'),
    score('seo', '100', indexed),
    {
      ...{ name: `longest TBT (${slowest.path})`, unit: 'ms', values: values(slowest, 'tbt') },
      ...(peer && isPhone && { goal: `at most ${Math.round(middle(peer, 'tbt')) + 50}` }),
    },
    peer &&
      isPhone && {
        name: `highest LCP / the peer's (${ratio(() => peer).of.path})`,
        values: ratio(() => peer).values,
        goal: 'at most 0.9',
      },
    {
      ...{ name: `highest LCP / its words alone (${toBare.of.path})`, values: toBare.values },
      ...(lcpGoal && { goal: lcpGoal }),
    },
    { name: `highest CLS (${shifting.path})`, values: values(shifting, 'cls'), goal: 'at most 0.01' },
    { name: 'LCP, home page', unit: 'ms', values: values(ours.find(isHome) as Measured, 'lcp') },
    peer && isPhone && { name: "the peer's LCP", unit: 'ms', values: values(peer, 'lcp') },
    peer && isPhone && { name: "the peer's TBT", unit: 'ms', values: values(peer, 'tbt') },
    peer && isPhone && { name: "the peer's performance", values: values(peer, 'performance') },
  ];
  return all
    .filter(figure => typeof figure === 'object')
    .map(figure => ({ ...figure, name: `${device}: ${figure.name}` }));
}

function isHome({ path }: Measured): boolean {
  return path === '/';
}
