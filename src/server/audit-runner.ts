import { Worker } from 'node:worker_threads';
import type { AuditProgress } from '../audit/run-audit.ts';
import { errorFields, type Log } from '../lib/log.ts';
import type { AuditThreadRequest, AuditThreadResponse } from './serve-audits.ts';

export type AuditRunner = {
  run(domain: string): AsyncIterable<AuditProgress>;
  close(): Promise<void>;
};

type RunnerOptions = {
  log: Log;
  /** Asked for each audit: a publish may change it. */
  findContent(): string;
  workerData: unknown;
  file?: URL;
  maxMs?: number;
};

/** Audits end themselves after 18 s: a thread that has not ended one by then hangs, and is not only short of processor time. */
const defaultMaxMs = 25_000;

/** Runs audits in a thread of their own, so that pages and messages never wait for them. */
export function createAuditRunner(options: RunnerOptions): AuditRunner {
  const { log, findContent, workerData, maxMs = defaultMaxMs } = options;
  const file = options.file ?? new URL('./audit-thread.ts', import.meta.url);
  const audits = new Map<number, ReadableStreamDefaultController<AuditProgress>>();
  let thread: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };
    const worker = new Worker(file, { workerData, execArgv: [], resourceLimits });
    worker.unref();
    worker.on('message', (response: AuditThreadResponse) => {
      if ('problem' in response) return log.error('audit check failed', response.problem);
      const audit = audits.get(response.id);
      if (!audit) return;
      if ('events' in response) {
        for (const event of response.events) audit.enqueue(event);
        return;
      }
      audits.delete(response.id);
      if (response.error === undefined) audit.close();
      else audit.error(new Error(response.error));
    });
    worker.on('error', error => end(worker, error as Error));
    worker.on('exit', () => end(worker, new Error('the thread ended')));
    return worker;
  }

  /** Every audit in it has failed; the next one starts another thread. */
  function end(worker: Worker, error: Error): void {
    if (worker !== thread) return;
    thread = undefined;
    log.error('audit thread ended', { audits: audits.size, ...errorFields(error) });
    for (const audit of audits.values()) audit.error(error);
    audits.clear();
    void worker.terminate();
  }

  return {
    run(domain) {
      thread ??= start();
      const worker = thread;
      lastId += 1;
      const id = lastId;
      return new ReadableStream<AuditProgress>({
        start(controller) {
          audits.set(id, controller);
          const request: AuditThreadRequest = { id, domain, contentFolder: findContent() };
          worker.postMessage(request);
          setTimeout(() => {
            if (audits.get(id) === controller) end(worker, new Error('an audit did not end in time'));
          }, maxMs).unref();
        },
        // The database failed while the report was stored: what still comes has no stream to go to.
        cancel: () => void audits.delete(id),
      });
    },
    async close() {
      const worker = thread;
      thread = undefined;
      for (const audit of audits.values()) audit.error(new Error('the server stops'));
      audits.clear();
      await worker?.terminate();
    },
  };
}
