import type { RequestContext } from '../../../core/http/admission-control.ts';
import { parseObject } from '../../../core/http/parse-fields.ts';
import { listNetworks, type RateLimit } from '../../../core/http/rate-limits.ts';
import { parseContentType, readBody } from '../../../core/http/read-body.ts';
import type { RequestCounters } from '../../../core/http/request-counters.ts';
import { problem } from '../../../core/http/responses.ts';
import { errorFields, type Log } from '../../../core/log.ts';
import { type AuditEvent, type AuditFailure, auditFields, auditPaths } from '../contract.ts';
import { auditCounter } from '../counters.ts';
import { limits } from '../requests/audit-limits.ts';
import {
  type AuditRequest,
  type RequestAuditDeps,
  type RequestedEvent,
  requestAudit,
} from '../requests/request-audit.ts';

export type AuditDeps = RequestAuditDeps & { rateLimit: RateLimit; log: Log; counters: RequestCounters };

export const maxAuditBytes = 4 * 1024;

/** Answers with one event a line, each sent when it happens; what is refused is a problem document. */
export async function postAudit(
  deps: AuditDeps,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const { requestId } = context;
  if (parseContentType(request) !== 'json') return problem(415, { requestId });
  const body = await readBody(request, maxAuditBytes);
  if ('status' in body) return problem(body.status, { requestId });
  const text = parseObject(body.text)?.get(auditFields.domain);
  if (typeof text !== 'string') return problem(400, { requestId });
  const result = await startAudit(deps, text, context);
  if (result.kind === 'refused') return refusal(result, requestId);
  return new Response(encodeStream(formatLines(result.events)), {
    headers: {
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...unbuffered,
    },
  });
}

/** Proxies such as nginx would otherwise collect what is sent bit by bit. */
export const unbuffered = { 'x-accel-buffering': 'no' };

type Refused = Extract<AuditRequest, { kind: 'refused' }>;
type Started = { kind: 'accepted'; events: AsyncIterable<AuditEvent> } | Refused;

export async function startAudit(
  deps: AuditDeps,
  text: string,
  { ip, requestId }: RequestContext,
  options: { maxWaitSeconds?: number } = {},
): Promise<Started> {
  const seconds = deps.auditQueue ? await deps.rateLimit.consume(ip, limits.audit) : 0;
  const result: AuditRequest =
    seconds > 0
      ? { kind: 'refused', reason: 'too-many', seconds }
      : await requestAudit(deps, text, { ...options, network: listNetworks(ip).at(-1)?.name ?? ip });
  if (result.kind === 'refused') {
    deps.counters.count(auditCounter, { outcome: result.reason });
    return result;
  }
  return { kind: 'accepted', events: toWireEvents(deps, result, requestId) };
}

/** The stream has begun with status 200: a surprise is its last event. */
async function* toWireEvents(
  { log, counters }: AuditDeps,
  { events, isCached }: Extract<AuditRequest, { kind: 'accepted' }>,
  requestId: string,
): AsyncGenerator<AuditEvent> {
  try {
    for await (const event of events) {
      if (event.type === 'report') counters.count(auditCounter, { outcome: isCached ? 'cached' : 'live' });
      else if (event.type === 'failed') counters.count(auditCounter, { outcome: event.reason });
      if (event.type !== 'report') yield event;
      else yield { ...withoutToken(event), path: `${auditPaths.report}/${event.token}` };
    }
  } catch (error) {
    log.error('audit failed', { requestId, ...errorFields(error) });
    counters.count(auditCounter, { outcome: 'unexpected' });
    yield { type: 'failed', reason: 'unexpected' };
  }
}

function withoutToken({ token: _, ...event }: Extract<RequestedEvent, { type: 'report' }>) {
  return event;
}

const refusals: Record<Refused['reason'], { status: number; title: string }> = {
  'invalid-domain': { status: 400, title: 'This is not a domain that can be audited' },
  'not-offered': { status: 400, title: 'The audit is not offered for this domain' },
  'too-many': { status: 429, title: 'Too many audits were requested; please try again later' },
  'checked-recently': { status: 429, title: 'This domain was audited recently; please try again later' },
  busy: { status: 429, title: 'Too many audits are waiting; please try again in a few minutes' },
  off: { status: 503, title: 'The audit is switched off at the moment' },
};

function refusal(refused: Refused, requestId: string): Response {
  const { status, title } = refusals[refused.reason];
  const headers = 'seconds' in refused ? { 'retry-after': String(refused.seconds) } : {};
  return problem(status, { requestId, title, reason: refused.reason satisfies AuditFailure, headers });
}

async function* formatLines(events: AsyncIterable<AuditEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
}

export function encodeStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await texts.return(undefined)),
  });
}
