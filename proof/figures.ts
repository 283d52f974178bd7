import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { median } from './bench/spread.ts';

/** `values` are those of the runs or rounds: their range is the noise. */
export type Figure = {
  name: string;
  unit?: string;
  values: number[];
  /** In words, such as 'under 100'. */
  goal?: string;
};

export type Measurement = { figures: Figure[] } & About;

type About = {
  /** What the figures are summed up from. */
  rows?: readonly unknown[];
  /** One that the machine brings, with its version. */
  program?: string;
};

type Result = {
  command: string;
  date: string;
  commit: string;
  machine: string;
  figures: Figure[];
  /** What they are summed up from. */
  rows?: readonly unknown[];
};

/** One table each, in this order. */
const subjects: Record<string, string[]> = {
  Pages: ['lighthouse-mobile', 'lighthouse-throttled', 'lighthouse-desktop', 'interaction'],
  Serving: ['serve', 'slow-clients'],
  Messages: ['intake', 'scale'],
  Search: ['search'],
  Faults: ['faults', 'fuzz'],
  'Free audit': ['audits'],
  Headers: ['observatory'],
  Size: ['size'],
};

const root = resolve(import.meta.dirname, '..');
/** When the run starts: others may commit meanwhile. */
const commit = readCommit();
const results = join(import.meta.dirname, 'results');
const page = join(root, 'docs/figures.md');

/** Writes results/NAME.json, and docs/figures.md from all results. */
export function writeResult(
  name: string,
  figures: Figure[],
  args: readonly string[] = [],
  { rows, program }: About = {},
): void {
  const words = args.map((word, index) => quote(word, args[index - 1]));
  const result: Result = {
    command: ['npm run proof --', name, ...words].join(' ').replace(/lighthouse-\w+/, 'lighthouse'),
    date: new Date().toISOString().slice(0, 10),
    commit,
    machine: [describeMachine(), program].filter(Boolean).join(', '),
    figures,
    ...(rows && { rows }),
  };
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `${name}.json`), `${JSON.stringify(result, undefined, 1)}\n`);
  writePage();
}

export function writePage(): void {
  const intro = `Generated from proof/results by \`npm run proof -- NAME --figures\` in \`proof/\`: do not edit it. [proof](../proof/README.md) says
what each measures. Times depend on the machine; ratios within one run depend on it less.`;
  const sections = Object.entries(subjects).flatMap(([subject, names]) => {
    const measured = names.flatMap(readResult);
    return measured.length > 0 ? [formatSubject(subject, measured)] : [];
  });
  writeFileSync(page, ['# Figures\n', `${intro}\n`, ...sections].join('\n'));
}

function readResult(name: string): Result[] {
  const file = join(results, `${name}.json`);
  return existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8'))] : [];
}

function formatSubject(subject: string, measured: Result[]): string {
  const commands = measured.map(
    ({ command, date, commit, machine }) => `- \`${command}\` · ${date} · commit ${commit} · ${machine}`,
  );
  const rows = [
    ['figure', 'median', 'range', 'goal', 'met'],
    ['---', '---', '---', '---', '---'],
    ...measured.flatMap(({ figures }) => figures.map(figure => [...formatRow(figure), describeMet(figure)])),
  ];
  const table = rows.map(cells => `| ${cells.join(' | ')} |`).join('\n');
  return `## ${subject}\n${commands.join('\n')}\n\n${table}\n`;
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

/** Of a goal such as 'under 100', 'at most 1.5', 'at least 0.6' or '0'. */
function describeMet({ values, goal }: Figure): string {
  const [, bound = '', number = ''] = /^(under|at most|at least)? ?([\d.,]+)/.exec(goal ?? '') ?? [];
  if (!number) return '';
  const [value, limit] = [median(values), Number(number.replaceAll(',', ''))];
  const isMet = {
    under: value < limit,
    'at most': value <= limit,
    'at least': value >= limit,
    '': value === limit,
  };
  return isMet[bound as keyof typeof isMet] ? 'yes' : '**no**';
}

/** Three significant digits. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return 'not measured';
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** Without the folders of one machine; the path of a page begins like one. */
function quote(word: string, option = ''): string {
  if (isAbsolute(word) && option !== '--pages') return 'FOLDER';
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
