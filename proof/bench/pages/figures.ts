import type { Figure } from '../../figures.ts';
import { median } from '../spread.ts';
import type { Contestant } from './contestants.ts';
import { categories, type Device, type Figures } from './visit.ts';

export type Visit = Figures & { path: string; device: Device; name: Contestant };

type Timing = 'fcp' | 'lcp' | 'speedIndex' | 'tbt' | 'cls' | 'bytes' | 'requests' | 'power';

const paintGoal = 1.15;

/** Of each round the median of its pages, so that the range is the noise between rounds; of scores the lowest. */
export function measurePages(visits: Visit[], device: Device): Figure[] {
  const rounds = roundsOf(visits);
  const paths = [...new Set(visits.map(({ path }) => path))];
  const over = (pick: (round: Visit[], path: string) => number) =>
    rounds.map(round => median(paths.map(path => pick(round, path))));
  return [
    ...categories.map((id): Figure => {
      const values = rounds.map(round => Math.min(...paths.map(path => scoreOf(round, path, 'ours', id))));
      return { name: `${device}: lowest ${id}`, values, goal: '100' };
    }),
    ...(['fcp', 'lcp'] as const).map(timing => ({
      ...{ name: `${device}: ${timing.toUpperCase()} / bare words`, goal: `at most ${paintGoal}` },
      values: over((round, path) => ratioOf(round, path, 'ours', timing)),
    })),
    {
      ...{ name: `${device}: TBT`, unit: 'ms', goal: '0' },
      values: over((round, path) => medianOf(round, path, 'ours', 'tbt')),
    },
    {
      ...{ name: `${device}: CLS`, goal: '0' },
      values: over((round, path) => medianOf(round, path, 'ours', 'cls')),
    },
    {
      ...{ name: `${device}: sent`, unit: 'KB' },
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

/** Each audit once, with how often it failed: a single run on a busy machine is no fault of the page. */
export function listShortfalls(visits: Visit[]): string {
  const ours = visits.filter(({ name }) => name === 'ours');
  const all = ours.flatMap(({ shortfalls, path }) => shortfalls.map(one => ({ ...one, path })));
  const lines = [...Map.groupBy(all, ({ id }) => id)].map(([id, found]) => {
    const pages = [...new Set(found.map(({ path }) => path))].join(', ');
    return `  ${id}: in ${found.length} of ${ours.length} runs: ${pages}`;
  });
  return lines.length > 0 ? lines.join('\n') : '  none';
}
