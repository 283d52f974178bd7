import type { Figure, Run, Section, SectionName } from './figures.ts';
import { spreadOf } from './spread.ts';

const opening = `# Figures

The benchmarks write this page: each section by the command above it, with the machine, the commit and the date. Do not edit it.
[bench](../bench/README.md) says what is compared with what. Times depend on the machine; ratios within one run depend on it less.
`;

/** Measured outside the benchmarks, until the bench runs Lighthouse with its own settings. */
const plainLighthouse = `The figures of this section were measured with other settings than Lighthouse's own: another CPU and network throttling. With
unmodified Lighthouse 13.5, default mobile, medians of 5 runs in turns with the AstroWind template, two cores, 2026-11-17:

| page | performance | LCP | TBT | CLS |
| --- | --- | --- | --- | --- |
| / | 100 (98 – 100) | 1,202 ms (1,060 – 1,203) | 10 ms (0 – 155) | 0 |
| /creator | 100 | 1,205 ms | 0 ms |  |
| /faq | 100 | 1,202 ms | 0 ms |  |
| AstroWind, / | 100 (97 – 100) | 1,428 ms (1,427 – 1,887) | 0 ms (0 – 17) | 0 |`;

const notes: Partial<Record<SectionName, string>> = {
  pages: plainLighthouse,
  'pages-desktop':
    "The figures of this section were measured with other settings than Lighthouse's own; see [Pages on a phone](#pages-on-a-phone).",
};

/** The whole page: the newest run of each section. */
export function renderPage(sections: readonly Section[]): string {
  const parts = sections.map(({ name, title, runs: [newest] }) =>
    [`## ${title}`, notes[name], newest && showRun(newest)].filter(Boolean).join('\n\n'),
  );
  return `${[opening, ...parts].map(part => part.trim()).join('\n\n')}\n`;
}

/** Those that README shows, in words of its own. */
export const shown: { section: SectionName; figure: string; words: string }[] = [
  {
    section: 'serve',
    figure: "our CPU time per request / nginx's",
    words: "CPU time per page, as a multiple of nginx's",
  },
  {
    section: 'intake',
    figure: 'durable posts a second',
    words: 'messages a second that one process stores durably',
  },
  {
    section: 'faults',
    figure: 'lost',
    words: 'acknowledged messages lost to kills, failing disks, power cuts and the like',
  },
  {
    section: 'observatory',
    figure: 'score of all pages',
    words: "every page in Mozilla's Observatory",
  },
  {
    section: 'interaction',
    figure: 'from a click to the next heading by mouse',
    words: 'from a click to the next page, on a CPU four times slower',
  },
];

/** What was not measured yet is left out. */
export function renderShown(sections: readonly Section[]): string {
  const rows = shown.flatMap(({ section, figure, words }) => {
    const [newest] = sections.find(({ name }) => name === section)?.runs ?? [];
    const found = newest?.figures.find(({ name }) => name === figure);
    return found ? [`| ${words} | ${showMedian(found)}${showRange(found)} | ${found.goal ?? ''} |`] : [];
  });
  const table = rows.length > 0 ? ['| figure | median | goal |', '| --- | --- | --- |', ...rows] : [];
  return table.map(row => `${row}\n`).join('');
}

const marks = { begin: '<!-- figures: written by the benches -->\n', end: '<!-- /figures -->' };

/** A text whose words between the marks are replaced. */
export function replaceBlock(text: string, block: string): string {
  const [before, rest] = splitOnce(text, marks.begin);
  const [, after] = splitOnce(rest, marks.end);
  return [before, marks.begin, block, marks.end, after].join('');
}

/** A median may hide the worst of them. */
function showRange({ values }: Figure): string {
  const { least, most } = spreadOf(values);
  return least === most ? '' : ` (${show(least)} – ${show(most)})`;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`there is no line ${mark.trim()}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function showRun({ machine, commit, date, command, figures, markdown }: Run): string {
  const rows = figures.map(figure => {
    const { least, most } = spreadOf(figure.values);
    const range = figure.values.length > 1 ? `${show(least)} – ${show(most)}` : '';
    return `| ${figure.name} | ${showMedian(figure)} | ${range} | ${figure.goal ?? ''} |`;
  });
  const table = ['| figure | median | range | goal |', '| --- | --- | --- | --- |', ...rows];
  return [
    `    ${command}`,
    `${date}, commit ${commit}, on ${machine}.`,
    ...(rows.length > 0 ? [table.join('\n')] : []),
    markdown,
  ].join('\n\n');
}

/** With its unit. */
export function showMedian({ values, unit }: Pick<Figure, 'values' | 'unit'>): string {
  return `${show(spreadOf(values).median)}${unit && ` ${unit}`}`;
}

/** Three figures that count, and no more digits than that. */
export function show(value: number): string {
  if (!Number.isFinite(value)) return 'not measured';
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

export function asCode(report: string): string {
  return report
    .trim()
    .split('\n')
    .map(line => `    ${line}`.trimEnd())
    .join('\n');
}
