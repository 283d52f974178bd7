import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** `npm test`: every check, then one line with the sums. `npm test -- NAME`: the test files whose path contains NAME. */
const root = resolve(import.meta.dirname, '..');
const bin = join(root, 'node_modules/.bin');
const names = process.argv.slice(2);
/** Also for workers and their threads, each of which would compile its modules anew. */
const env = { NODE_COMPILE_CACHE: join(root, '.cache/compile'), ...process.env };

type Count = { passed: number; failed: number; skipped: number };

/** Repeated at the end, one line each. */
const failures: string[] = [];
const counts: Count[] = [];
const projects = ['.', 'src/ui', 'tests/browser'];
// While the site is built for the tests, one core is idle: the checks use it.
const checks =
  names.length > 0
    ? []
    : [
        ...projects.map(project => check(`types of ${project}`, 'tsc', ['-p', project, '--checkers', '1'])),
        check('lint and format', 'biome', ['ci', '--colors=off', '.']),
      ];
// One after the other: at the same time they take longer.
counts.push(await runSuite(['unit', 'integration']));
// A browser test waits for its page: three of them fill two cores.
counts.push(await runSuite(['browser'], ['--maxWorkers=3']), ...(await Promise.all(checks)));

const total = (name: keyof Count) => counts.reduce((sum, count) => sum + count[name], 0);
const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
process.stdout.write(`\n${total('passed')} passed, ${total('failed')} failed${skipped}\n`);
process.exitCode = total('failed') > 0 || total('passed') === 0 ? 1 : 0;

type Outcome = { ok: boolean; output: string };

async function check(name: string, program: string, args: string[]): Promise<Count> {
  const started = performance.now();
  const { ok, output } = await run(program, args);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n${ok ? '' : output}`);
  if (!ok) failures.push(name);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

type ReportedTest = { status: string; fullName: string; failureMessages?: string[] };
type ReportedFile = { name: string; status: string; message?: string; assertionResults: ReportedTest[] };

/** Vitest prints its own report; the numbers come from a file, so that a crash counts as a failure. */
async function runSuite(projects: string[], options: string[] = []): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-report-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const selected = projects.flatMap(project => ['--project', project]);
  const args = ['run', ...selected, ...options, '--passWithNoTests', ...reporters, ...names];
  const { ok } = await run('vitest', args, 'inherit');
  const json = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  rmSync(folder, { recursive: true, force: true });
  const broken: string[] = ((json.testResults ?? []) as ReportedFile[]).flatMap(describeFailures);
  if (broken.length === 0 && !ok)
    broken.push(`the ${projects.join(' and ')} tests ended without a report of what failed`);
  failures.push(...broken);
  return {
    passed: json.numPassedTests ?? 0,
    failed: broken.length,
    skipped: (json.numPendingTests ?? 0) + (json.numTodoTests ?? 0),
  };
}

/** A file that could not be loaded, or whose hooks failed, has no failed test of its own. */
function describeFailures({ name, status, message = '', assertionResults }: ReportedFile): string[] {
  const file = relative(root, name);
  const failed = assertionResults.filter(test => test.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [`${file}: ${firstLine(message)}`];
  return failed.map(
    ({ fullName, failureMessages = [] }) => `${file} > ${fullName}: ${firstLine(failureMessages[0])}`,
  );
}

function firstLine(message = ''): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map(line => line.trim());
  return (lines.find(line => line !== '') ?? '').slice(0, 300);
}

function run(program: string, args: string[], stdio: 'pipe' | 'inherit' = 'pipe'): Promise<Outcome> {
  const child = spawn(join(bin, program), args, { cwd: root, env, stdio: ['ignore', stdio, stdio] });
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
