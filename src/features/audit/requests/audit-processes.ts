import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Log } from '../../../core/log.ts';
import { readUsage } from '../../../core/process-usage.ts';
import { createCutResult, createReport } from '../create-report.ts';
import type { Grading } from '../grade.ts';
import type { AuditProgress, AuditReport } from '../run-audit.ts';
import type { CheckGroup } from '../terms.ts';
import type { AuditMessage, AuditTask } from './serve-audit.ts';

/** An audit of an honest domain takes half a second of processor time and 80 MB, and ends itself after 18 s. */
export const processLimits = { cpuMs: 3000, residentMb: 256, wallMs: 25_000 };

export type ProcessOptions = {
  settings: unknown;
  limits: typeof processLimits;
  /** Pages come before audits. Tests on a busy machine would wait long for the lowest. */
  priority: number;
};

export const lowestPriority = constants.priority.PRIORITY_LOW;

/** What a process runs, for whom, and the weights of its grade. */
export type AuditOrder = { file: string; grading: Grading; domain: string; measuredAt: string };

type Listener = { pass(event: AuditProgress): void; end(error: string | null): void };

type Running = AuditOrder &
  Listener & {
    child: ChildProcess;
    checks: { check: string; group: CheckGroup }[];
    results: AuditReport['results'];
    timer: NodeJS.Timeout;
  };

/** Node itself ends a process whose heap is over its part of the memory, between two looks at it. */
const execArgv = ['--max-old-space-size=160'];
const watchMs = 100;
const maxErrorText = 2000;

/** Runs each audit alone in a process, whose time and memory are watched from here. Children inherit this one's environment. */
export function createAuditProcesses(log: Pick<Log, 'warn' | 'error'>, options: ProcessOptions) {
  const { settings, limits, priority } = options;
  const children = new Set<ChildProcess>();
  const running = new Set<Running>();
  let spare: ChildProcess | undefined;
  let watch: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(file: string): ChildProcess {
    const child = fork(file, {
      execArgv,
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
      if (audit) finish(audit, 'the process ended');
    });
    yieldToOthers(child, priority);
    child.unref();
    child.channel?.unref();
    (child.stderr as { unref?(): void } | null)?.unref?.();
    return child;
  }

  function prepare(file: string): void {
    if (!isClosed) spare ??= start(file);
  }

  function pass(audit: Running, event: AuditProgress): void {
    if (event.type === 'started') audit.checks = event.checks;
    if (event.type === 'result') audit.results.push(event.result);
    audit.pass(event);
  }

  function receive(audit: Running, message: AuditMessage): void {
    if (!running.has(audit)) return;
    if ('problem' in message) log.error('audit check failed', message.problem);
    else if ('error' in message) finish(audit, message.error);
    else for (const event of message.events) pass(audit, event);
  }

  function end(audit: Running): void {
    running.delete(audit);
    clearTimeout(audit.timer);
    audit.child.kill('SIGKILL');
    if (running.size === 0) clearInterval(watch);
  }

  function finish(audit: Running, error: string | null = null): void {
    end(audit);
    audit.end(error);
  }

  /** What is known by now is a report, without a grade. */
  function cutShort(audit: Running, limit: 'processor time' | 'memory' | 'time'): void {
    const { domain, measuredAt, checks, grading } = audit;
    log.warn('audit cut short', { limit });
    if (checks.length === 0) {
      finish(audit, `no result within the limit of ${limit}`);
      return;
    }
    const results = checks.map(
      one =>
        audit.results.find(({ check }) => check === one.check) ??
        createCutResult(one, `over our limit of ${limit}`),
    );
    const missing = results.filter(result => !audit.results.includes(result));
    for (const result of missing) audit.pass({ type: 'result', result });
    const report = createReport({ domain, measuredAt, results }, grading);
    audit.pass({ type: 'report', report, hasConnected: true });
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

  return {
    prepare,
    /** Returns what ends it early. */
    run(order: AuditOrder, listener: Listener): () => void {
      const { file, grading, domain } = order;
      const child = spare ?? start(file);
      spare = undefined;
      const audit: Running = {
        ...order,
        ...listener,
        child,
        checks: [],
        results: [],
        timer: setTimeout(() => cutShort(audit, 'time'), limits.wallMs).unref(),
      };
      child.on('message', message => receive(audit, message as AuditMessage));
      // One that could not be started has no channel, and ends the audit by its event.
      if (child.channel) child.send({ domain, grading, settings } satisfies AuditTask, () => undefined);
      if (running.size === 0) watch = setInterval(() => void look(), watchMs).unref();
      running.add(audit);
      prepare(file);
      return () => end(audit);
    },
    async close() {
      isClosed = true;
      for (const audit of running) end(audit);
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
