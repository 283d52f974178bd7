import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { collectLog } from '../../../../tests/harness/site.ts';
import { systemClock } from '../../../core/clock.ts';
import { parsePs, readFromPs, readUsage } from '../../../core/process-usage.ts';
import type { AuditReport } from '../run-audit.ts';
import type { processLimits } from './audit-processes.ts';
import { type AuditRunner, createAuditRunner, findAuditProgram } from './audit-runner.ts';

const file = fileURLToPath(new URL('../../../../tests/fakes/audit-process.ts', import.meta.url));
const runners: AuditRunner[] = [];
afterAll(() => Promise.all(runners.map(runner => runner.close())));

function createRunner(
  limits: Partial<typeof processLimits> = {},
  changes: { priority?: number } = { priority: 0 },
) {
  const { log, lines } = collectLog();
  const findProgram = () => ({ file, grading: { weights: {}, grades: [], caps: {} } });
  const runner = createAuditRunner({
    log,
    clock: systemClock,
    settings: {},
    findProgram,
    limits,
    ...changes,
  });
  runners.push(runner);
  return {
    ...runner,
    lines,
    /** The types of its events; of an error, its text. */
    async audit(domain: string): Promise<string[]> {
      const types: string[] = [];
      try {
        for await (const event of runner.run(domain)) types.push(event.type);
      } catch (error) {
        types.push((error as Error).message);
      }
      return types;
    },
    async report(domain: string): Promise<AuditReport | undefined> {
      const events = await Array.fromAsync(runner.run(domain));
      return events.flatMap(event => (event.type === 'report' ? [event.report] : []))[0];
    },
  };
}

const whole = ['started', 'result', 'report'];

test('an audit that crashes ends alone', async () => {
  const { audit, lines } = createRunner();
  const ended = await Promise.all(['signals', 'crash', 'throw', 'bug'].map(audit));
  expect(ended.map(types => types.at(-1))).toEqual(['report', 'the process ended', 'thrown', 'report']);
  expect(lines.join('')).toContain('"event":"audit process ended","code":1');
  expect(lines.join('')).toContain('Error: crashed');
  expect(lines.join('')).toContain('"event":"audit check failed","check":"https","error":"Error: a bug');
});

// How a process is watched differs between systems; Windows has only the limits of time and heap.
test.skipIf(process.platform === 'win32')(
  'an audit over a limit is ended alone, with a report of what was found by then',
  async () => {
    const limits = { cpuMs: 1200, residentMb: 160 };
    const { audit, report, lines } = createRunner(limits);
    const [computes, grows, other] = await Promise.all([report('computes'), report('grows'), audit('other')]);
    expect(computes).toMatchObject(cutShort('processor time'));
    expect(grows).toMatchObject(cutShort('memory'));
    expect(other).toEqual(whole);
    expect(lines.join('')).toContain('"event":"audit cut short","limit":"memory"');
  },
);

test('an audit that does not end is ended', async () => {
  const { audit, report } = createRunner({ wallMs: 3000 });
  // By its end, the next process is ready.
  await audit('other');
  expect(await report('waits')).toMatchObject(cutShort('time'));
});

function cutShort(limit: string) {
  return {
    grade: null,
    score: null,
    results: [
      { check: 'https', status: 'passed' },
      {
        check: 'dmarc',
        status: 'not-measurable',
        finding: 'limit',
        evidence: [`over our limit of ${limit}`],
      },
    ],
  };
}

test('an audit whose heap is full is ended as one that is over the limit of memory', async () => {
  const { report } = createRunner({ cpuMs: 60_000, residentMb: 10_000 });
  expect(await report('fills its heap')).toMatchObject({ grade: null, results: [{}, { finding: 'limit' }] });
});

test('a process waits ahead for each audit, at the lowest priority, the first to end where memory is short, and without our environment', async () => {
  const { prepare, report } = createRunner({}, {});
  prepare();
  const pids = [];
  for (const domain of ['one', 'two']) {
    const values = (await report(domain))?.results[0]?.values;
    if (process.platform === 'linux')
      expect(values).toMatchObject({ priority: '19', oomScore: '1000', secrets: '' });
    pids.push(values?.pid);
  }
  expect(new Set(pids).size).toBe(2);
});

test('a build of an earlier version, without the program, is reported and ends nothing', () => {
  const { log, lines } = collectLog();
  const findProgram = () => findAuditProgram('/nowhere');
  const runner = createAuditRunner({ log, clock: systemClock, settings: {}, findProgram });
  runner.prepare();
  expect(lines.join('')).toContain('"event":"audit program not found"');
  expect(() => runner.run('one')).toThrow('ENOENT');
});

// Of files, a process has each connection too: a flood may take them all.
test.skipIf(process.platform === 'win32')(
  'where no process can be started an audit fails, and the next one runs',
  async () => {
    const script = `
      const { createAuditRunner } = await import(${JSON.stringify(new URL('audit-runner.ts', import.meta.url).href)});
      const { closeSync, openSync } = await import('node:fs');
      const lines = [];
      const write = (event, fields) => lines.push(event + ' ' + fields.error);
      const runner = createAuditRunner({
        log: { info: write, warn: write, error: write },
        clock: { now: () => new Date() },
        settings: {},
        findProgram: () => ({ file: ${JSON.stringify(file)}, grading: { weights: {}, grades: [], caps: {} } }),
        priority: 0,
      });
      const audit = () => Array.fromAsync(runner.run('one')).then(events => events.at(-1).type, error => error.message);
      const staying = setInterval(() => undefined, 1000);
      const opened = [];
      try { for (;;) opened.push(openSync('/dev/null')); } catch {}
      const ends = [await audit()];
      opened.forEach(closeSync);
      ends.push(await audit());
      await runner.close();
      clearInterval(staying);
      console.log(JSON.stringify({ ends, lines }));`;
    const command = `ulimit -n 100 && exec "$0" --input-type=module -e "$1"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, script]);
    expect(JSON.parse(stdout)).toEqual({
      ends: ['the process ended', 'report'],
      lines: expect.arrayContaining([expect.stringMatching(/^audit process ended .* EMFILE$/)]),
    });
  },
);

test('leaving ends an audit, and closing ends all', async () => {
  const { run, audit, close, lines } = createRunner();
  for await (const { type } of run('waits')) {
    expect(type).toBe('started');
    break;
  }
  const running = audit('waits');
  expect(await audit('one')).toEqual(whole);
  await close();
  expect((await running).at(-1)).toBe('the server stops');
  expect(lines).toEqual([]);
});

test('when the process that starts them is ended, audits fail, and the next one runs', async () => {
  const { run, report, lines } = createRunner();
  const parent = (await report('one'))?.results[0]?.values.parent;
  const running = run('waits')[Symbol.asyncIterator]();
  await running.next();
  process.kill(Number(parent), 'SIGKILL');
  const end = (async () => {
    while (!(await running.next()).done);
  })();
  await expect(end).rejects.toThrow('the process ended');
  const next = (await report('two'))?.results[0]?.values.parent;
  expect(next).not.toBe(parent);
  expect(lines.join('')).toContain('"event":"audit process ended","signal":"SIGKILL"');
});

test('the use of processes is read where there is /proc, and from ps', async () => {
  const spin = performance.now();
  while (performance.now() - spin < 30);
  if (existsSync('/proc/self/stat')) {
    const { cpuMs = 0, residentMb = 0 } =
      (await readUsage([process.pid, 2 ** 22 + 1])).get(process.pid) ?? {};
    expect(cpuMs).toBeGreaterThan(20);
    expect(cpuMs).toBeLessThanOrEqual(process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000 + 20);
    expect(residentMb).toBeGreaterThan(20);
  }
  expect(parsePs('  12   0:01.50  81920\n 13 1-02:03:04 1024\n')).toEqual(
    new Map([
      [12, { cpuMs: 1500, residentMb: 80 }],
      [13, { cpuMs: 1000 * (86_400 + 2 * 3600 + 3 * 60 + 4), residentMb: 1 }],
    ]),
  );
  if (existsSync('/bin/ps'))
    expect((await readFromPs([process.pid])).get(process.pid)?.residentMb).toBeGreaterThan(20);
});
