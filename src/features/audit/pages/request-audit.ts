import type { Problem } from '../../../lib/problem.ts';
import { type AuditEvent, type AuditFailure, type AuditResult, auditApiPath } from '../contract.ts';

export type AuditState =
  | { kind: 'idle' }
  | { kind: 'running'; domain: string; checks: string[]; results: AuditResult[]; wait?: Wait | undefined }
  | { kind: 'done'; path: string }
  | { kind: 'refused'; reason: AuditFailure; minutes?: number | undefined }
  | { kind: 'lost' };

const maxSilenceMs = 40_000;

type Wait = { ahead: number; seconds: number };

/** Reports each state; the last one is `done`, `refused` or `lost`. */
export async function requestAudit(domain: string, onChange: (state: AuditState) => void): Promise<void> {
  let state: AuditState = { kind: 'running', domain, checks: [], results: [] };
  const change = (next: AuditState) => {
    state = next;
    onChange(next);
  };
  change(state);
  // A connection can die without a word. The server speaks every few seconds, and ends an audit sooner.
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), maxSilenceMs);
  };
  listen();
  try {
    const response = await fetch(auditApiPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ domain }),
      redirect: 'manual',
      signal: silence.signal,
    });
    if (!response.ok || !response.body) return change(await readRefusal(response));
    for await (const event of readEvents(response.body)) {
      listen();
      change(applyEvent(state, event));
    }
  } catch {
    // What arrived is not the whole answer.
  } finally {
    clearTimeout(timer);
  }
  if (state.kind === 'running') change({ kind: 'lost' });
}

function applyEvent(state: AuditState, event: AuditEvent): AuditState {
  if (event.type === 'report') return { kind: 'done', path: event.path };
  if (event.type === 'failed') return { kind: 'refused', reason: event.reason };
  if (state.kind !== 'running') return state;
  if (event.type === 'waiting') return { ...state, wait: event };
  if (event.type === 'started')
    return { ...state, wait: undefined, checks: event.checks.map(({ check }) => check) };
  return { ...state, results: [...state.results, event.result] };
}

async function readRefusal(response: Response): Promise<AuditState> {
  const { reason }: Partial<Problem> = await response.json().catch(() => ({}));
  const seconds = Number(response.headers.get('retry-after'));
  return {
    kind: 'refused',
    reason: failures.find(one => one === reason) ?? 'unexpected',
    ...(seconds > 0 && { minutes: Math.ceil(seconds / 60) }),
  };
}

const failures: AuditFailure[] = [
  'invalid-domain',
  'not-offered',
  'too-many',
  'checked-recently',
  'busy',
  'off',
];

/** One JSON document a line. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<AuditEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TextDecoding).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line) yield JSON.parse(line);
  }
}

type TextDecoding = ReadableWritablePair<string, Uint8Array>;
