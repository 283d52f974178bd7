import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import { serverFolder } from '../../../core/http/current-build.ts';
import type { Log } from '../../../core/log.ts';
import { listNeutralEnvironment } from '../../../core/settings/environment.ts';
import { errorMessage } from '../../../lib/error-message.ts';
import type { Grading } from '../grade.ts';
import type { AuditProgress } from '../run-audit.ts';
import { lowestPriority, processLimits } from './audit-processes.ts';
import type { SupervisorMessage, SupervisorTask } from './audit-supervisor.ts';

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

type RunnerOptions = {
  log: Pick<Log, 'warn' | 'error'>;
  clock: Clock;
  settings: unknown;
  /** Asked for each audit: a publish may change it. */
  findProgram(): AuditProgram;
  limits?: Partial<typeof processLimits>;
  priority?: number;
};

type Events = ReadableStreamDefaultController<AuditProgress>;

const supervisorFile = join(import.meta.dirname, 'audit-supervisor.ts');
const maxErrorText = 2000;

/** The server's side: it orders audits from the supervisor, which starts their processes. */
export function createAuditRunner(options: RunnerOptions): AuditRunner {
  const { log, clock, settings, findProgram } = options;
  const limits = { ...processLimits, ...options.limits };
  const running = new Map<number, Events>();
  let supervisor: ChildProcess | undefined;
  let count = 0;
  let isClosed = false;

  function start(): ChildProcess {
    const child = fork(supervisorFile, {
      execArgv: [],
      env: listNeutralEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let errors = '';
    child.stderr?.on('data', data => {
      errors = (errors + data).slice(-maxErrorText);
    });
    child.on('error', error => {
      errors += error.message;
    });
    child.on('message', messages => (messages as SupervisorMessage[]).forEach(receive));
    child.once('close', (code, signal) => {
      supervisor = undefined;
      if (!isClosed) {
        log.error('audit process ended', { ...(signal ? { signal } : { code: code ?? -1 }), error: errors });
        endAll('the process ended');
      }
    });
    child.unref();
    child.channel?.unref();
    (child.stderr as { unref?(): void } | null)?.unref?.();
    return child;
  }

  function send(task: SupervisorTask): void {
    if (!supervisor) {
      supervisor = start();
      send({ options: { settings, limits, priority: options.priority ?? lowestPriority } });
    }
    // One that could not be started has no channel, and ends the audits by its event.
    if (supervisor.connected) supervisor.send(task, () => undefined);
  }

  function receive(message: SupervisorMessage): void {
    if ('level' in message) {
      log[message.level](message.text, message.fields);
      return;
    }
    const events = running.get(message.audit);
    if ('event' in message) {
      events?.enqueue(message.event);
      return;
    }
    running.delete(message.audit);
    if (message.error === null) events?.close();
    else events?.error(new Error(message.error));
  }

  function endAll(reason: string): void {
    for (const events of running.values()) events.error(new Error(reason));
    running.clear();
  }

  return {
    prepare() {
      if (isClosed) return;
      try {
        send({ prepare: findProgram().file });
      } catch (error) {
        // An earlier version made the build. Pages and messages do not need it.
        log.error('audit program not found', { reason: errorMessage(error), fix: 'npm run publish-site' });
      }
    },
    run(domain) {
      const number = ++count;
      return new ReadableStream<AuditProgress>({
        start(events) {
          const order = { ...findProgram(), domain, measuredAt: clock.now().toISOString() };
          running.set(number, events);
          send({ run: number, order });
        },
        // The database failed while the report was stored: what still comes has no stream to go to.
        cancel() {
          running.delete(number);
          send({ leave: number });
        },
      });
    },
    async close() {
      isClosed = true;
      endAll('the server stops');
      if (!supervisor) return;
      const ended = once(supervisor, 'close');
      send({ close: true });
      await ended;
    },
  };
}
