import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Result } from './faults/run.ts';
import { isWell } from './faults/try-fault.ts';

/** `npm test`: every check of the house, then one line that sums them up. What takes long is in `npm run test:faults`. */
const root = resolve(import.meta.dirname, '..');
const bin = join(root, 'node_modules/.bin');

type Count = { passed: number; failed: number; skipped: number };

/** Named once more at the end, where a reader of a long log looks first. */
const failures: string[] = [];
const counts: Count[] = [];
for (const project of ['.', 'src/site', 'tests/browser']) {
  counts.push(await check(`types of ${project}`, () => run('tsc', ['-p', project])));
}
counts.push(await check('lint and format', () => run('biome', ['ci', '--colors=off', '.'])));
// One after the other: mixed, they get in each other's way, and all of it takes longer.
for (const project of ['unit', 'browser']) counts.push(await suites(project));
counts.push(await faults());

const total = (name: keyof Count) => counts.reduce((sum, count) => sum + count[name], 0);
const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
process.stdout.write(`\n${total('passed')} passed, ${total('failed')} failed${skipped}\n`);
process.exitCode = total('failed') > 0 || total('passed') === 0 ? 1 : 0;

type Outcome = { ok: boolean; output: string };

async function check(name: string, work: () => Promise<Outcome>): Promise<Count> {
  const started = performance.now();
  const { ok, output } = await work();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n${ok ? '' : output}`);
  if (!ok) failures.push(name);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

type ReportedTest = { status: string; fullName: string; failureMessages?: string[] };
type ReportedFile = { name: string; assertionResults: ReportedTest[] };

/** Vitest's own report goes to the terminal; its numbers come from a file, so that a crash counts as a failure. */
async function suites(project: string): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-report-'));
  const report = join(folder, 'report.json');
  const { ok } = await run(
    'vitest',
    ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    'inherit',
  );
  const json = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  rmSync(folder, { recursive: true, force: true });
  const failed: number = json.numFailedTests ?? 0;
  const files: ReportedFile[] = json.testResults ?? [];
  for (const { name, assertionResults } of files) {
    const wrong = assertionResults.filter(({ status }) => status === 'failed');
    failures.push(...wrong.map(test => `${relative(root, name)} > ${test.fullName}${reason(test)}`));
  }
  if (failed === 0 && !ok) failures.push(`the ${project} tests ended without a report of what failed`);
  return {
    passed: json.numPassedTests ?? 0,
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: (json.numPendingTests ?? 0) + (json.numTodoTests ?? 0),
  };
}

/** The first lines of what a test said: enough to tell a wrong answer from a wait that ran out. */
function reason({ failureMessages = [] }: ReportedTest): string {
  return failureMessages
    .flatMap(message => stripVTControlCharacters(message).split('\n').slice(0, 4))
    .filter(line => !/^\s*at /.test(line))
    .map(line => `\n    ${line.slice(0, 300)}`)
    .join('');
}

/** The short form of the fault instrument, always with the same seed. What this machine cannot run counts as skipped. */
async function faults(): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-report-'));
  const report = join(folder, 'report.json');
  const script = join(root, 'tests/faults/run.ts');
  await run('node', [script, '--short', '--seed', '1', '--out', report], 'inherit');
  const rows = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Result).rows : [];
  rmSync(folder, { recursive: true, force: true });
  const skipped = rows.filter(row => 'notRun' in row).length;
  const wrong = rows.filter(row => !isWell(row)).map(({ fault, database }) => `${fault}, ${database}`);
  if (rows.length === 0) wrong.push('the fault instrument ended without a table');
  failures.push(...wrong);
  return { passed: Math.max(0, rows.length - wrong.length - skipped), failed: wrong.length, skipped };
}

function run(program: string, args: string[], stdio: 'pipe' | 'inherit' = 'pipe'): Promise<Outcome> {
  const child = spawn(join(bin, program), args, { cwd: root, stdio: ['ignore', stdio, stdio] });
  let output = '';
  child.stdout?.on('data', chunk => {
    output += chunk;
  });
  child.stderr?.on('data', chunk => {
    output += chunk;
  });
  return new Promise(done => {
    child.once('error', error => done({ ok: false, output: `${error.message}\n` }));
    child.once('close', code => done({ ok: code === 0, output }));
  });
}
