import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import { median } from './bench/spread.ts';

/** `values` are those of the runs or rounds: their range is the noise. */
export type Figure = {
  name: string;
  unit?: string;
  values: number[];
  /** In words, such as 'under 100'. */
  goal?: string;
};

/** Shown above a section of the page. */
const notes: Record<string, string> = {
  'lighthouse-mobile': `The figures of this section were measured with other settings than Lighthouse's own: another CPU and network throttling. With
unmodified Lighthouse 13.5, default mobile, medians of 5 runs in turns with the AstroWind template, two cores, 2026-11-17:

| page | performance | LCP | TBT | CLS |
| --- | --- | --- | --- | --- |
| / | 100 (98 – 100) | 1,202 ms (1,060 – 1,203) | 10 ms (0 – 155) | 0 |
| /creator | 100 | 1,205 ms | 0 ms |  |
| /faq | 100 | 1,202 ms | 0 ms |  |
| AstroWind, / | 100 (97 – 100) | 1,428 ms (1,427 – 1,887) | 0 ms (0 – 17) | 0 |`,
  'lighthouse-desktop':
    "The figures of this section were measured with other settings than Lighthouse's own; see [lighthouse-mobile](#lighthouse-mobile).",
};

type Result = { command: string; date: string; commit: string; machine: string; figures: Figure[] };

const root = resolve(import.meta.dirname, '..');
const results = join(import.meta.dirname, 'results');
const page = join(root, 'docs/figures.md');

/** Writes results/NAME.json, and docs/figures.md from all results. */
export function writeResult(name: string, figures: Figure[], args: readonly string[] = []): void {
  const result: Result = {
    command: ['npm run proof --', name, ...args.map(quote)].join(' '),
    date: new Date().toISOString().slice(0, 10),
    commit: readCommit(),
    machine: describeMachine(),
    figures,
  };
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `${name}.json`), `${JSON.stringify(result, undefined, 1)}\n`);
  writePage();
}

export function writePage(): void {
  const names = readdirSync(results)
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -5));
  const sections = names.sort().map(name => {
    const { command, date, commit, machine, figures }: Result = JSON.parse(
      readFileSync(join(results, `${name}.json`), 'utf8'),
    );
    const rows = [
      ['figure', 'median', 'range', 'goal'],
      ['---', '---', '---', '---'],
      ...figures.map(formatRow),
    ];
    const table = rows.map(cells => `| ${cells.join(' | ')} |`).join('\n');
    const about = `    ${command}\n\n${date}, commit ${commit}, on ${machine}.`;
    return `${[`## ${name}`, notes[name], about, table].filter(Boolean).join('\n\n')}\n`;
  });
  const intro = `Generated from proof/results by \`npm run proof -- NAME --figures\` in \`proof/\`: do not edit it. [proof](../proof/README.md) says
what each measures. Times depend on the machine; ratios within one run depend on it less.`;
  writeFileSync(page, ['# Figures\n', `${intro}\n`, ...sections].join('\n'));
}

export function formatFigures(figures: readonly Figure[]): string {
  return figures
    .map(figure => {
      const [name = '', middle = '', range, goal] = formatRow(figure);
      return `${name.padEnd(60)} ${middle.padStart(12)}${range && `  (${range})`}${goal && `  goal: ${goal}`}\n`;
    })
    .join('');
}

function formatRow({ name, unit, values, goal = '' }: Figure): string[] {
  const range =
    values.length > 1 ? `${formatNumber(Math.min(...values))} – ${formatNumber(Math.max(...values))}` : '';
  return [name, `${formatNumber(median(values))}${unit ? ` ${unit}` : ''}`, range, goal];
}

/** Three significant digits. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return 'not measured';
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

function quote(word: string): string {
  return /[\s']/.test(word) ? `'${word}'` : word;
}

function describeMachine(): string {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const model = cores[0]?.model.replaceAll(/\s+/g, ' ').trim() || arch();
  const [system = ''] = /^\d+(\.\d+)?/.exec(release()) ?? [];
  return `${cores.length} × ${model}, ${memory} GB, ${type()} ${system}, Node ${process.versions.node}`;
}

export function readCommit(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const { status, stdout } = git('rev-parse', '--short', 'HEAD');
  if (status !== 0) return 'unknown';
  const ignored = [':!docs', ':!proof/results', ':!README.md', ':!CHANGELOG.md'];
  const changed = git('status', '--porcelain', '--', '.', ...ignored).stdout.trim();
  return changed ? `${stdout.trim()} with changes` : stdout.trim();
}
