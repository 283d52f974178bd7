import type { Section } from './figures.ts';
import { show, showMedian } from './figures-page.ts';
import { median } from './spread.ts';

/** What is measured of each setup; the name of a figure is the setup's and this. */
export const measures = {
  posts: 'durable posts a second',
  p99: 'p99 of posts',
  servers: 'CPU of servers per message',
  database: 'CPU of PostgreSQL per message',
  pages: 'pages a second',
} as const;

const cores = [1, 2, 4, 8];

/**
 * From how many processes on PostgreSQL with so many cores is what stops more messages, if every process has a core of its
 * own and neither the disk nor a lock stops them before. From CPU time in µs a message.
 */
export function deriveLimits(servers: number, database: number) {
  if (!(servers > 0 && database > 0)) return undefined;
  return cores.map(count => ({
    cores: count,
    processes: String(Math.max(1, Math.ceil((count * servers) / database))),
    messages: show(Math.round((count * 1e6) / database)),
  }));
}

export function tellLimits(setup: string): string {
  return `Derived from the CPU times of '${setup}', not measured: PostgreSQL is the limit from so many processes on, each with a core of its own`;
}

/** The newest run of the bench as docs/engineer/scale.md shows it: one row for each setup, and what is derived. */
export function renderScale(sections: readonly Section[]): string {
  const [newest] = sections.find(({ name }) => name === 'scale')?.runs ?? [];
  if (!newest) return '';
  const split = newest.figures.map(figure => {
    const [setup = '', measure = ''] = figure.name.split(': ');
    return { setup, measure, figure };
  });
  const setups = [...new Set(split.map(({ setup }) => setup))];
  const find = (setup: string, measure: string) =>
    split.find(one => one.setup === setup && one.measure === measure)?.figure;
  const rows = setups.map(setup =>
    Object.values(measures).map(measure => {
      const figure = find(setup, measure);
      return figure ? showMedian(figure) : '';
    }),
  );
  const middle = (measure: string) => median(find(setups.at(-1) ?? '', measure)?.values ?? []);
  const limits = deriveLimits(middle(measures.servers), middle(measures.database)) ?? [];
  const lines = [
    tableOf(
      ['database, processes', ...Object.values(measures)],
      rows.map((row, at) => [setups[at] ?? '', ...row]),
    ),
    `\`${newest.command}\`, ${newest.date}, commit ${newest.commit}, on ${newest.machine}.`,
    ...(limits.length > 0
      ? [
          `${tellLimits(setups.at(-1) ?? '')}.`,
          tableOf(
            ['cores of PostgreSQL', 'processes', 'messages a second'],
            limits.map(({ cores: count, processes, messages }) => [String(count), processes, messages]),
          ),
        ]
      : []),
  ];
  return `\n${lines.join('\n\n')}\n\n`;
}

function tableOf(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}
