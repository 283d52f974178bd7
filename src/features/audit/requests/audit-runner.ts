import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { listNeutralEnvironment } from '../../../apps/server/config.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Log } from '../../../core/log.ts';
import { readUsage } from '../../../core/process-usage.ts';
import { errorMessage } from '../../../lib/error-message.ts';
import { createCutResult, createReport } from '../create-report.ts';
import type { Grading } from '../grade.ts';
import type { AuditProgress, AuditReport } from '../run-audit.ts';
import type { CheckGroup } from '../terms.ts';
import { serverFolder } from './audit-pages.ts';
import type { AuditMessage, AuditTask } from './serve-audit.ts';

export type AuditRunner = {
  run(domain: string): AsyncIterable<AuditProgress>;
  /** Starts a process ahead of the first audit. */
  prepare(): void;
  close(): Promise<void>;
};

/** What a process runs, and the weights of its grade. */
export type AuditProgram = { file: string; grading: Grading };

/** In the build's folder of what the server runs. */
export const auditProgram = { file: 'audit-process.mjs', grading: 'grading.json' };

export function findAuditProgram(build: string): AuditProgram {
  const folder = join(build, serverFolder);
  return {
    file: join(folder, auditProgram.file),
    grading: JSON.parse(readFileSync(join(folder, auditProgram.grading), 'utf8')),
  };
}

/** An audit of an honest domain takes half a second of processor time and 80 MB, and ends itself after 18 s. */
export const processLimits = { cpuMs: 3000, residentMb: 256, wallMs: 25_000 };

type RunnerOptions = {
  log: Log;
  clock: Clock;
  settings: unknown;
  /** Asked for each process: a publish may change it. */
  findProgram(): AuditProgram;
  limits?: Partial<typeof processLimits>;
  /** Pages come before audits. Tests on a busy machine would wait long for the lowest. */
  priority?: number;
};

type Running = {
  domain: string;
  measuredAt: string;
  grading: Grading;
  child: ChildProcess;
  events: ReadableStreamDefaultController<AuditProgress>;
  checks: { check: string; group: CheckGroup }[];
  results: AuditReport['results'];
  timer: NodeJS.Timeout;
};

/** Node itself ends a process whose heap is over its part of the memory, between two looks at it. */
const execArgv = ['--max-old-space-size=160'];
const watchMs = 100;
const maxErrorText = 2000;

/** Runs each audit alone in a process, whose time and memory are watched from here. */
export function createAuditRunner(options: RunnerOptions): AuditRunner {
  const { log, clock, settings, findProgram } = options;
  const limits = { ...processLimits, ...options.limits };
  const children = new Set<ChildProcess>();
  const running = new Set<Running>();
  let spare: ChildProcess | undefined;
  let watch: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(file: string): ChildProcess {
    const child = fork(file, {
      execArgv,
      env: listNeutralEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    children.add(child);
    let errors = '';
    child.stderr?.on('data', data => {
      errors = (errors + data).slice(-maxErrorText);
    });
    child.on('error', error => {
      errors += error.message;
    });
    child.once('close', (code, signal) => {
      children.delete(child);
      if (spare === child) spare = undefined;
      if (child.killed) return;
      const audit = [...running].find(one => one.child === child);
      // The heap was full.
      if (audit && (signal === 'SIGABRT' || code === 134)) {
        cutShort(audit, 'memory');
        return;
      }
      log.error('audit process ended', { ...(signal ? { signal } : { code: code ?? -1 }), error: errors });
      if (audit) finish(audit, new Error('the process ended'));
    });
    yieldToOthers(child, options.priority ?? constants.priority.PRIORITY_LOW);
    child.unref();
    child.channel?.unref();
    (child.stderr as { unref?(): void } | null)?.unref?.();
    return child;
  }

  function prepare(): void {
    if (isClosed || spare) return;
    try {
      spare = start(findProgram().file);
    } catch (error) {
      // An earlier version made the build. Pages and messages do not need it.
      log.error('audit program not found', { reason: errorMessage(error), fix: 'npm run publish-site' });
    }
  }

  function pass(audit: Running, event: AuditProgress): void {
    if (event.type === 'started') audit.checks = event.checks;
    if (event.type === 'result') audit.results.push(event.result);
    audit.events.enqueue(event);
  }

  function receive(audit: Running, message: AuditMessage): void {
    if (!running.has(audit)) return;
    if ('problem' in message) log.error('audit check failed', message.problem);
    else if ('error' in message) finish(audit, message.error === null ? undefined : new Error(message.error));
    else for (const event of message.events) pass(audit, event);
  }

  function end(audit: Running): void {
    running.delete(audit);
    clearTimeout(audit.timer);
    audit.child.kill('SIGKILL');
    if (running.size === 0) clearInterval(watch);
  }

  function finish(audit: Running, error?: Error): void {
    end(audit);
    if (error) audit.events.error(error);
    else audit.events.close();
  }

  /** What is known by now is a report, without a grade. */
  function cutShort(audit: Running, limit: 'processor time' | 'memory' | 'time'): void {
    const { domain, measuredAt, checks, events, grading } = audit;
    log.warn('audit cut short', { limit });
    if (checks.length === 0) {
      finish(audit, new Error(`no result within the limit of ${limit}`));
      return;
    }
    const results = checks.map(
      one =>
        audit.results.find(({ check }) => check === one.check) ??
        createCutResult(one, `over our limit of ${limit}`),
    );
    const missing = results.filter(result => !audit.results.includes(result));
    for (const result of missing) events.enqueue({ type: 'result', result });
    const report = createReport({ domain, measuredAt, results }, grading);
    events.enqueue({ type: 'report', report, hasConnected: true });
    finish(audit);
  }

  async function look(): Promise<void> {
    const audits = [...running];
    const usages = await readUsage(audits.map(({ child }) => child.pid ?? 0));
    for (const audit of audits) {
      const { cpuMs = 0, residentMb = 0 } = usages.get(audit.child.pid ?? 0) ?? {};
      if (!running.has(audit)) continue;
      if (cpuMs > limits.cpuMs) cutShort(audit, 'processor time');
      else if (residentMb > limits.residentMb) cutShort(audit, 'memory');
    }
  }

  function run(domain: string, events: ReadableStreamDefaultController<AuditProgress>): Running {
    const { file, grading } = findProgram();
    const child = spare ?? start(file);
    spare = undefined;
    const audit: Running = {
      domain,
      grading,
      child,
      events,
      measuredAt: clock.now().toISOString(),
      checks: [],
      results: [],
      timer: setTimeout(() => cutShort(audit, 'time'), limits.wallMs).unref(),
    };
    child.on('message', message => receive(audit, message as AuditMessage));
    // One that could not be started has no channel, and ends the audit by its event.
    if (child.channel) child.send({ domain, grading, settings } satisfies AuditTask, () => undefined);
    if (running.size === 0) watch = setInterval(() => void look(), watchMs).unref();
    running.add(audit);
    prepare();
    return audit;
  }

  return {
    prepare,
    run(domain) {
      let audit: Running | undefined;
      return new ReadableStream<AuditProgress>({
        start(events) {
          audit = run(domain, events);
        },
        // The database failed while the report was stored: what still comes has no stream to go to.
        cancel: () => audit && end(audit),
      });
    },
    async close() {
      isClosed = true;
      for (const audit of running) finish(audit, new Error('the server stops'));
      const ends = [...children].map(child => once(child, 'close'));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}

/** Set before the process has threads, which take it over. Where the machine has no memory left, the kernel ends it first. */
function yieldToOthers({ pid }: ChildProcess, priority: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, priority);
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // A sandbox may forbid it; audits run all the same.
  }
}
