import { constants, setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import type { AuditProgress } from '../audit/run-audit.ts';
import type { LogFields } from '../lib/log.ts';

/** The weights are read in the thread: parsing content/ takes a fraction of a second. */
export type AuditThreadRequest = { id: number; domain: string; contentFolder: string };

export type AuditThreadResponse =
  | { id: number; events: AuditProgress[] }
  | { id: number; error: string | undefined }
  | { problem: LogFields };

export type RunInThread = (
  request: Omit<AuditThreadRequest, 'id'>,
  onUnexpectedError: (check: string, error: unknown) => void,
) => AsyncIterable<AuditProgress>;

/** Progress is sent at this pace: each message wakes the thread that serves pages. */
const paceMs = 100;

/** On Linux alone this concerns the calling thread: with one core, pages come before audits. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // A sandbox may forbid it; audits run all the same.
  }
}

/** The thread's side: answers each request with the events of its audit, and then with its end. */
export function serveAudits(port: MessagePort, run: RunInThread): void {
  lowerPriority();
  const post = (response: AuditThreadResponse) => port.postMessage(response);
  async function answer({ id, ...request }: AuditThreadRequest): Promise<void> {
    const onUnexpectedError = (check: string, error: unknown) =>
      post({ problem: { check, error: error instanceof Error ? error.stack : String(error) } });
    let events: AuditProgress[] = [];
    let timer: NodeJS.Timeout | undefined;
    const send = () => {
      clearTimeout(timer);
      timer = undefined;
      if (events.length === 0) return;
      post({ id, events });
      events = [];
      timer = setTimeout(send, paceMs);
    };
    let failure: string | undefined;
    try {
      for await (const event of run(request, onUnexpectedError)) {
        events.push(event);
        if (!timer) send();
      }
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    send();
    clearTimeout(timer);
    post({ id, error: failure });
  }
  port.on('message', (request: AuditThreadRequest) => void answer(request));
}
