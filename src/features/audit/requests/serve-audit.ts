import type { LogFields } from '../../../core/log.ts';
import type { Grading } from '../grade.ts';
import type { AuditProgress } from '../run-audit.ts';

/** `settings` say how to reach the network; only tests know others than those of this server. */
export type AuditTask<Settings = unknown> = { domain: string; grading: Grading; settings: Settings };

export type AuditMessage =
  | { events: AuditProgress[] }
  | { problem: LogFields }
  /** The end. */
  | { error: string | null };

type RunTask<Settings> = (
  task: AuditTask<Settings>,
  onUnexpectedError: (check: string, error: unknown) => void,
) => AsyncIterable<AuditProgress>;

/** Progress is sent at this pace: each message wakes the process that serves pages. */
const paceMs = 100;

/** The side of the process that runs one audit: it waits for its task, answers with the events and then with the end. */
export function serveAudit<Settings>(run: RunTask<Settings>): void {
  const post = (message: AuditMessage) => process.send?.(message);
  async function answer(task: AuditTask<Settings>): Promise<void> {
    const onUnexpectedError = (check: string, error: unknown) =>
      post({ problem: { check, error: error instanceof Error ? error.stack : String(error) } });
    let events: AuditProgress[] = [];
    let timer: NodeJS.Timeout | undefined;
    const send = () => {
      clearTimeout(timer);
      timer = undefined;
      if (events.length === 0) return;
      post({ events });
      events = [];
      timer = setTimeout(send, paceMs);
    };
    let failure: string | null = null;
    try {
      for await (const event of run(task, onUnexpectedError)) {
        events.push(event);
        if (!timer) send();
      }
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    send();
    clearTimeout(timer);
    post({ error: failure });
  }
  process.once('message', (task: AuditTask<Settings>) => void answer(task));
  // A terminal and systemd send them to all processes of a server, which then ends this one.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  // The server has ended.
  process.once('disconnect', () => process.exit());
}
