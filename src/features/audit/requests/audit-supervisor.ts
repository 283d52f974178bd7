// A small process that starts, hears and watches those of the audits: `fork` copies the memory tables of the process that
// calls it, which takes the server milliseconds in which it serves no page.
import type { LogFields } from '../../../core/log.ts';
import type { AuditProgress } from '../run-audit.ts';
import { type AuditOrder, createAuditProcesses, type ProcessOptions } from './audit-processes.ts';

export type SupervisorTask =
  | { options: ProcessOptions }
  | { prepare: string }
  | { run: number; order: AuditOrder }
  | { leave: number }
  | { close: true };

export type SupervisorMessage =
  | { audit: number; event: AuditProgress }
  | { audit: number; error: string | null }
  | { level: 'warn' | 'error'; text: string; fields: LogFields | undefined };

/** What comes within this time is one message: each wakes the process that serves pages. */
const paceMs = 50;

const stops = new Map<number, () => void>();
let processes: ReturnType<typeof createAuditProcesses> | undefined;
let unsent: SupervisorMessage[] = [];
let timer: NodeJS.Timeout | undefined;

function send(): void {
  clearTimeout(timer);
  timer = undefined;
  if (process.connected) process.send?.(unsent, undefined, undefined, () => undefined);
  unsent = [];
}

function post(message: SupervisorMessage): void {
  unsent.push(message);
  timer ??= setTimeout(send, paceMs);
}

function receive(task: SupervisorTask): void {
  if ('options' in task) {
    const write = (level: 'warn' | 'error') => (text: string, fields?: LogFields) =>
      post({ level, text, fields });
    processes = createAuditProcesses({ warn: write('warn'), error: write('error') }, task.options);
  } else if ('prepare' in task) {
    processes?.prepare(task.prepare);
  } else if ('leave' in task) {
    stops.get(task.leave)?.();
    stops.delete(task.leave);
  } else if ('close' in task) {
    void close();
  } else {
    const { run: audit, order } = task;
    const stop = processes?.run(order, {
      pass: event => post({ audit, event }),
      end(error) {
        stops.delete(audit);
        post({ audit, error });
        send();
      },
    });
    if (stop) stops.set(audit, stop);
  }
}

async function close(): Promise<void> {
  await processes?.close();
  process.exit();
}

process.on('message', receive);
// A terminal and systemd send them to all processes of a server, which then ends this one.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
// The server has ended.
process.once('disconnect', () => void close());
