import {
  type AdmissionDeps,
  type Capacity,
  type NotStored,
  notStoredResponse,
  type RequestContext,
  tryStoreRateLimited,
} from '../../../core/http/admission-control.ts';
import type { FormTokens } from '../../../core/http/form-tokens.ts';
import type { RateLimit } from '../../../core/http/rate-limits.ts';
import { parseContentType, readBody } from '../../../core/http/read-body.ts';
import { invalidField, problem, redirect, replyJson } from '../../../core/http/responses.ts';
import { limits } from '../../../lib/limits.ts';
import {
  type ContactResponse,
  emptyFragment,
  type FormName,
  formPages,
  hadUnsentQuery,
  idempotencyHeader,
  notSentFragment,
  sentFragment,
  tokenHeader,
} from '../contract.ts';
import { type MessageResult, messageCounter } from '../counters.ts';
import { isEmptyMessage, type MessageFields } from '../message-fields.ts';
import {
  type FormSignals,
  type ReceiveDeps,
  type ReceiveResult,
  receiveMessage,
} from '../receive-message.ts';
import { messageLimits } from './limits.ts';
import {
  type PostedMessage,
  parseIdempotencyKey,
  parseMessageForm,
  parseMessageJson,
} from './parse-message.ts';

export type ContactDeps = ReceiveDeps &
  AdmissionDeps & {
    rateLimit: RateLimit;
    formTokens: FormTokens;
    messages: Capacity;
  };

export async function postContact(
  deps: ContactDeps,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const kind = parseContentType(request);
  if (kind === 'json') return handleJson(deps, request, context);
  return kind === 'form'
    ? handleForm(deps, request, context)
    : problem(kind, { requestId: context.requestId });
}

async function handleJson(deps: ContactDeps, request: Request, context: RequestContext): Promise<Response> {
  const { requestId } = context;
  const body = await readBody(request, limits.maxBodyBytes);
  if ('status' in body) return problem(body.status, { requestId });
  const posted = parseMessageJson(body.text);
  if (!posted) return problem(400, { requestId });
  const header = request.headers.get(idempotencyHeader);
  const key = header === null ? undefined : parseIdempotencyKey(header);
  if (key === null) return problem(400, { requestId, title: 'The Idempotency-Key could not be read' });
  const formAgeMs = deps.formTokens.getAgeMs(request.headers.get(tokenHeader) ?? '');
  const result = await receive(deps, { ...posted, formAgeMs }, context, key);
  switch (result.kind) {
    case 'received':
      return replyJson({ reference: result.reference } satisfies ContactResponse, requestId);
    case 'invalid':
      return invalidField(result.field, result.reason, requestId);
    case 'conflict':
      return problem(422, { requestId, title: 'The Idempotency-Key belongs to another message' });
    default:
      return notStoredResponse(result, context);
  }
}

async function handleForm(deps: ContactDeps, request: Request, context: RequestContext): Promise<Response> {
  const body = await readBody(request, limits.maxFormBytes);
  // A person who pasted too much gets a page, not a problem document.
  if ('status' in body && body.status === 413) {
    return redirect(`${formPages.contact}#${notSentFragment}`, context.requestId);
  }
  const form = 'text' in body ? parseMessageForm(body.text) : undefined;
  if (!form) return problem(400, { requestId: context.requestId });
  const { name, fields, honeypot, auditReport, hasUnsent, unsentKey, size } = form;
  const key = unsentKey ?? createFormIdempotencyKey(deps, name, fields);
  const submission = { fields, honeypot, auditReport, formAgeMs: undefined };
  const isSent =
    size <= limits.maxBodyBytes && (await receive(deps, submission, context, key)).kind === 'received';
  const page = Object.hasOwn(formPages, name) ? formPages[name as FormName] : formPages.contact;
  const path = hasUnsent ? `${page}?${hadUnsentQuery}` : page;
  const sent = isEmptyMessage(fields) ? emptyFragment : sentFragment;
  return redirect(`${path}#${isSent ? sent : notSentFragment}`, context.requestId);
}

const doubleSubmitWindowMs = 10 * 60 * 1000;

async function receive(
  deps: ContactDeps,
  { fields, honeypot, auditReport, formAgeMs }: PostedMessage & FormSignals,
  context: RequestContext,
  key: string | undefined,
): Promise<ReceiveResult | NotStored> {
  const limit = { label: 'message', limit: messageLimits.message, capacity: deps.messages };
  const result = await tryStoreRateLimited(deps, context, limit, () =>
    withByteBudget(deps, context, fields, () =>
      receiveMessage(deps, { ...fields, auditReport }, { honeypot, formAgeMs }, key),
    ),
  );
  if (result.kind === 'received' && result.status === 'quarantined') {
    deps.log.warn('message quarantined', { requestId: context.requestId, reason: result.reasons.join(', ') });
  }
  deps.counters.count(messageCounter, { result: labelResult(result) });
  return result;
}

/** The budget is charged before storing, so that concurrent requests cannot exceed it. */
async function withByteBudget(
  { rateLimit }: ContactDeps,
  { ip }: RequestContext,
  fields: MessageFields,
  store: () => Promise<ReceiveResult>,
): Promise<ReceiveResult | NotStored> {
  const bytes = Buffer.byteLength(Object.values(fields).join(''));
  const seconds = await rateLimit.consume(ip, messageLimits.bytes, bytes);
  if (seconds > 0) return { kind: 'rate limited', seconds };
  let isStored = false;
  try {
    const result = await store();
    isStored = result.kind === 'received' && result.status !== 'duplicate';
    return result;
  } finally {
    if (!isStored) await rateLimit.refund(ip, messageLimits.bytes, bytes);
  }
}

function labelResult(result: ReceiveResult | NotStored): MessageResult {
  if (result.kind === 'received') return result.status === 'new' ? 'stored' : result.status;
  return result.kind === 'rate limited' ? 'rate-limited' : result.kind;
}

/** Idempotency key of a form without JavaScript: a double submit is stored once. A client's own key contains no quotes. */
function createFormIdempotencyKey({ clock }: ContactDeps, form: string, fields: MessageFields): string {
  const period = Math.floor(clock.now().getTime() / doubleSubmitWindowMs);
  return `form:${JSON.stringify([form, period, fields])}`;
}
