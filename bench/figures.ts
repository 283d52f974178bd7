import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import { asCode, renderPage, renderShown, replaceBlock } from './figures-page.ts';
import { renderScale } from './scale-page.ts';

/** What a bench found. `values` are those of its runs or rounds: their range is its noise. */
export type Figure = {
  name: string;
  unit: string;
  values: number[];
  /** `zero`: whichever way it goes, nearer is better. */
  better: 'lower' | 'higher' | 'zero';
  /** In words, such as 'under 100'. */
  goal?: string;
};

/** `report` is what was printed; `markdown` where a section is more than plain text; `section` where it is not the bench's own. */
export type Measured = { figures: Figure[]; report?: string; markdown?: string; section?: SectionName };

/** One run of a bench, as it is kept. */
export type Run = {
  machine: string;
  commit: string;
  date: string;
  command: string;
  figures: Figure[];
  /** Of the newest alone. */
  markdown: string;
};

/** The newest run first. */
export type Section = { name: SectionName; title: string; runs: Run[] };

export type Places = { data: string; page: string; readme: string; scale: string };

const root = resolve(import.meta.dirname, '..');
export const places: Places = {
  data: join(root, 'bench/figures'),
  page: join(root, 'docs/figures.md'),
  readme: join(root, 'README.md'),
  scale: join(root, 'docs/engineer/scale.md'),
};

/** How many runs are kept to compare with; the page shows the newest. */
const kept = 5;

/** In the order of the page. */
const titles = {
  serve: 'Serve',
  intake: 'Intake',
  scale: 'Scale',
  newsletter: 'Newsletter',
  growth: 'Growth',
  blog: 'Blog',
  faults: 'Faults',
  'slow-clients': 'Slow clients',
  'bad-inputs': 'Bad inputs',
  observatory: 'Observatory',
  pages: 'Pages on a phone',
  'pages-desktop': 'Pages at a desk',
  interaction: 'Interaction',
} as const;
export type SectionName = keyof typeof titles;

/** Keeps a run as data, and makes the page, and the blocks of others, from all that is kept. */
export function writeFigures(
  name: SectionName,
  command: string,
  { figures, report = '', markdown = asCode(report) }: Measured,
  at: Places = places,
): void {
  const before = readSection(name, at)?.runs ?? [];
  const date = new Date().toISOString().slice(0, 10);
  const run: Run = { machine: nameMachine(), commit: nameCommit(), date, command, figures, markdown };
  const runs = [run, ...before.map(one => ({ ...one, markdown: '' }))].slice(0, kept);
  mkdirSync(at.data, { recursive: true });
  writeFileSync(fileOf(name, at), `${JSON.stringify({ runs }, undefined, 1)}\n`);
  writePages(at);
}

export function writePages(at: Places = places): void {
  for (const [file, text] of renderAll(at)) writeFileSync(file, text);
}

/** Each page as the data have it: figures.md as a whole, README and scale.md between their marks. */
export function renderAll(at: Places = places): Map<string, string> {
  const sections = readSections(at);
  return new Map([
    [at.page, renderPage(sections)],
    [at.readme, replaceBlock(readFileSync(at.readme, 'utf8'), renderShown(sections))],
    [at.scale, replaceBlock(readFileSync(at.scale, 'utf8'), renderScale(sections))],
  ]);
}

/** In the order of the page. */
export function readSections(at: Places = places): Section[] {
  const names = Object.keys(titles) as SectionName[];
  return names.map(name => readSection(name, at)).filter(section => section !== undefined);
}

function readSection(name: SectionName, at: Places): Section | undefined {
  const file = fileOf(name, at);
  if (!existsSync(file)) return undefined;
  const { runs } = JSON.parse(readFileSync(file, 'utf8')) as Pick<Section, 'runs'>;
  return { name, title: titles[name], runs };
}

function fileOf(name: SectionName, { data }: Places): string {
  return join(data, `${name}.json`);
}

/** As it would be typed, without what says only where to write. */
export function nameCommand(script: string, args: readonly string[]): string {
  const told = args.filter(
    (one, at) =>
      !/^--(figures$|json\b|out\b|onto\b)/.test(one) && !/^--(json|out|onto)$/.test(args[at - 1] ?? ''),
  );
  return [script, ...(told.length > 0 ? ['--'] : []), ...told.map(quote)].join(' ');
}

/** As a shell would have to be told. */
function quote(word: string): string {
  return /[\s']/.test(word) ? `'${word}'` : word;
}

/** Neither its name nor any of its paths. */
function nameMachine(): string {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const model = cores[0]?.model.replaceAll(/\s+/g, ' ').trim() || arch();
  const [system = ''] = /^\d+(\.\d+)?/.exec(release()) ?? [];
  return `${cores.length} × ${model}, ${memory} GB, ${type()} ${system}, Node ${process.versions.node}`;
}

let commit: string | undefined;

/** Asked once in a process. */
export function nameCommit(): string {
  commit ??= readCommit();
  return commit;
}

/** What is written here does not change what was measured. */
function readCommit(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const { status, stdout } = git('rev-parse', '--short', 'HEAD');
  if (status !== 0) return 'unknown';
  const unmeasured = [':!docs', ':!bench/figures', ':!README.md', ':!CHANGELOG.md'];
  const changed = git('status', '--porcelain', '--', '.', ...unmeasured).stdout.trim();
  return changed ? `${stdout.trim()} with changes` : stdout.trim();
}
