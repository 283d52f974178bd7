import type { Figure } from './figures.ts';
import { type Contestant, contestants } from './pages/contestants.ts';
import { categories, type Device, type Figures } from './pages/visit.ts';
import { median } from './spread.ts';
import { alignColumns, goalLine } from './table.ts';

export type Visit = Figures & { path: string; device: Device; name: Contestant };

type Setup = { runs: number; device: Device; wireMs: number; slowdown: number };
type Timing = 'fcp' | 'lcp' | 'speedIndex' | 'tbt' | 'cls' | 'bytes' | 'requests' | 'power';

const paintGoal = 1.15;
const simulated: Record<Device, (slowdown: number) => string> = {
  mobile: slowdown => `slow 4G and a CPU ${slowdown} times slower than`,
  desktop: () => '10 Mbit/s and the CPU of',
};

export function reportPages(visits: Visit[], setup: Setup): string {
  const power = median(visits.map(visit => visit.power));
  const lines = [
    `Medians of ${setup.runs} runs in turns. bare: the same words without style or script, from the same server.`,
    'eager: the same site with React handed over at load. Times in ms as Lighthouse simulates them from what it saw on a wire',
    `of ${setup.wireMs} ms: ${simulated[setup.device](setup.slowdown)} this machine, whose power was ${Math.round(power)}.`,
    ...reportDevice(visits, setup.device),
    '',
    'Audits of ours below full marks',
    ...listShortfalls(visits),
  ];
  return lines.join('\n');
}

/** Of each round the median of its pages, so that the range is the noise between rounds; of scores the lowest. */
export function figuresOfPages(visits: Visit[], device: Device): Figure[] {
  const rounds = roundsOf(visits);
  const paths = [...new Set(visits.map(({ path }) => path))];
  const over = (pick: (round: Visit[], path: string) => number) =>
    rounds.map(round => median(paths.map(path => pick(round, path))));
  const lower = { unit: '', better: 'lower' as const };
  return [
    ...categories.map((id): Figure => {
      const values = rounds.map(round => Math.min(...paths.map(path => scoreOf(round, path, 'ours', id))));
      return { name: `${device}: lowest ${id}`, unit: '', values, better: 'higher', goal: '100' };
    }),
    ...(['fcp', 'lcp'] as const).map(timing => ({
      ...{ name: `${device}: ${timing.toUpperCase()} / bare words`, ...lower, goal: `at most ${paintGoal}` },
      values: over((round, path) => ratioOf(round, path, 'ours', timing)),
    })),
    {
      ...{ name: `${device}: TBT`, ...lower, unit: 'ms', goal: '0' },
      values: over((round, path) => medianOf(round, path, 'ours', 'tbt')),
    },
    {
      ...{ name: `${device}: CLS`, ...lower, goal: '0' },
      values: over((round, path) => medianOf(round, path, 'ours', 'cls')),
    },
    {
      ...{ name: `${device}: sent`, ...lower, unit: 'KB' },
      values: over((round, path) => medianOf(round, path, 'ours', 'bytes') / 1000),
    },
  ];
}

/** The first visits of every page by every contestant, the second ones, and so on. */
function roundsOf(visits: Visit[]): Visit[][] {
  const ofEach = [...Map.groupBy(visits, ({ path, name }) => `${name} ${path}`).values()];
  const most = Math.max(...ofEach.map(({ length }) => length));
  return Array.from({ length: most }, (_, round) => ofEach.flatMap(ofOne => ofOne[round] ?? []));
}

function reportDevice(visits: Visit[], device: Device): string[] {
  const pages = [...new Set(visits.map(({ path }) => path))];
  const rows = pages.flatMap(path => contestants.map(name => rowOf(visits, path, name)));
  return ['', ...alignColumns([headings, ...rows]), '', ...goalsOf(visits, pages, device)];
}

const headings = [
  'page',
  'contestant',
  'scores',
  'FCP',
  '/ bare',
  'LCP',
  '/ bare',
  'SI',
  'TBT',
  'CLS',
  'KB',
  'requests',
];

/** Scores stand as performance, accessibility, best practices, SEO. */
function rowOf(visits: Visit[], path: string, name: Contestant): string[] {
  const of = (timing: Timing) => medianOf(visits, path, name, timing);
  const scored = name === 'ours' ? categories : categories.slice(0, 1);
  const ratio = (timing: Timing) => (name === 'bare' ? '' : ratioOf(visits, path, name, timing).toFixed(2));
  return [
    name === 'ours' ? path : '',
    name,
    scored.map(id => scoreOf(visits, path, name, id)).join(' '),
    of('fcp').toFixed(0),
    ratio('fcp'),
    of('lcp').toFixed(0),
    ratio('lcp'),
    of('speedIndex').toFixed(0),
    of('tbt').toFixed(0),
    of('cls').toFixed(3),
    (of('bytes') / 1000).toFixed(1),
    of('requests').toFixed(0),
  ];
}

/** The worst page decides; how much faster than React at load is told without a goal. */
function goalsOf(visits: Visit[], pages: string[], device: Device): string[] {
  const figures = (value: (path: string) => number) => pages.map(path => ({ path, value: value(path) }));
  const most = (value: (path: string) => number) =>
    figures(value).reduce((one, other) => (other.value > one.value ? other : one));
  const least = (value: (path: string) => number) =>
    figures(value).reduce((one, other) => (other.value < one.value ? other : one));
  const ours = (timing: Timing) => most(path => medianOf(visits, path, 'ours', timing));
  const eager = (timing: Timing) => most(path => medianOf(visits, path, 'eager', timing));
  const lowest = least(path => Math.min(...categories.map(id => scoreOf(visits, path, 'ours', id))));
  const paint = (timing: Timing) => most(path => ratioOf(visits, path, 'ours', timing));
  const tell = ({ path, value }: { path: string; value: number }, digits: number) =>
    `${value.toFixed(digits)} (${path})`;
  const [fcp, lcp, tbt, cls] = [paint('fcp'), paint('lcp'), ours('tbt'), ours('cls')];
  return alignColumns([
    [`${device}: worst page`, 'figure', 'goal', ''],
    goalLine('lowest score', tell(lowest, 0), '100', lowest.value === 100),
    goalLine('FCP / bare', tell(fcp, 2), `at most ${paintGoal}`, fcp.value <= paintGoal),
    goalLine('LCP / bare', tell(lcp, 2), `at most ${paintGoal}`, lcp.value <= paintGoal),
    goalLine('TBT ms', tell(tbt, 0), '0', tbt.value === 0),
    goalLine('CLS', tell(cls, 3), '0', cls.value === 0),
    ['eager: TBT ms', tell(eager('tbt'), 0), '', ''],
  ]);
}

/** Of medians: the runs of one contestant are not pairs of those of another. */
function ratioOf(visits: Visit[], path: string, name: Contestant, timing: Timing): number {
  return medianOf(visits, path, name, timing) / medianOf(visits, path, 'bare', timing);
}

function scoreOf(visits: Visit[], path: string, name: Contestant, id: (typeof categories)[number]): number {
  return median(visits.filter(isOf(path, name)).map(({ scores }) => scores[id] ?? Number.NaN));
}

function medianOf(visits: Visit[], path: string, name: Contestant, timing: Timing): number {
  return median(visits.filter(isOf(path, name)).map(visit => visit[timing]));
}

function isOf(path: string, name: Contestant) {
  return (visit: Visit) => visit.path === path && visit.name === name;
}

/** Each audit once, with the pages and how often: a single run on a busy machine is no fault of the page. */
function listShortfalls(visits: Visit[]): string[] {
  const ours = visits.filter(({ name }) => name === 'ours');
  const all = ours.flatMap(({ shortfalls, path }) => shortfalls.map(one => ({ ...one, path })));
  const byAudit = Map.groupBy(all, ({ id }) => id);
  if (byAudit.size === 0) return ['  none'];
  return [...byAudit.values()].map(found => {
    const [{ id = '', category = '' } = {}] = found;
    const score = Math.min(...found.map(one => one.score));
    const where = [...new Set(found.map(one => one.path))].join(', ');
    return `  ${id} (${category}): ${score} at the lowest, in ${found.length} of ${ours.length} runs: ${where}`;
  });
}
