import {
  type ReceiveDeps,
  type ReceiveResult,
  receiveMessage,
  type SentHow,
} from '../domain/messages/receive-message.ts';
import {
  type Asked,
  type NotStored,
  notStored,
  type StoringDeps,
  storeLimited,
  type WaitingLine,
} from './admission-control.ts';
import {
  type ContactAnswer,
  type FormName,
  formPages,
  idempotencyHeader,
  limits,
  type MessageInput,
  refusedFragment,
  sentFragment,
  tokenHeader,
  waitingQuery,
} from './contract.ts';
import type { FormTokens } from './guards/form-tokens.ts';
import type { RateLimit } from './guards/rate-limit.ts';
import { postKind, readBody } from './guards/read-body.ts';
import { type PostedMessage, parseForm, parseJson, parseKey } from './parse-message.ts';
import type { MessageResult } from './request-counters.ts';
import { problem, redirect, replyJson } from './responses.ts';

export type ContactDeps = ReceiveDeps &
  StoringDeps & {
    rateLimit: RateLimit;
    formTokens: FormTokens;
    messages: WaitingLine;
  };

/** `POST /api/contact`: 200 with a reference once the message is stored; a plain form gets 303 to its own page. */
export async function postContact(deps: ContactDeps, request: Request, asked: Asked): Promise<Response> {
  const kind = postKind(request);
  if (kind === 'json') return answerJson(deps, request, asked);
  return kind === 'form' ? answerForm(deps, request, asked) : problem(kind, { requestId: asked.requestId });
}

async function answerJson(deps: ContactDeps, request: Request, asked: Asked): Promise<Response> {
  const { requestId } = asked;
  const body = await readBody(request, limits.body);
  if ('status' in body) return problem(body.status, { requestId });
  const posted = parseJson(body.text);
  if (!posted) return problem(400, { requestId });
  const header = request.headers.get(idempotencyHeader);
  const key = header === null ? undefined : parseKey(header);
  if (key === null) return problem(400, { requestId, title: 'The Idempotency-Key could not be read' });
  const openMs = deps.formTokens.ageOf(request.headers.get(tokenHeader) ?? '');
  const result = await receive(deps, { ...posted, openMs }, asked, key);
  switch (result.kind) {
    case 'received':
      return replyJson({ reference: result.reference } satisfies ContactAnswer, requestId);
    case 'refused':
      return problem(422, {
        requestId,
        field: result.field,
        reason: result.reason,
        title: `${result.field} ${result.reason}`,
      });
    case 'conflict':
      return problem(422, { requestId, title: 'The Idempotency-Key belongs to another message' });
    default:
      return notStored(result, asked);
  }
}

async function answerForm(deps: ContactDeps, request: Request, asked: Asked): Promise<Response> {
  const body = await readBody(request, limits.form);
  // A person who pasted too much gets a page, not a problem document.
  if ('status' in body && body.status === 413) {
    return redirect(`${formPages.contact}#${refusedFragment}`, asked.requestId);
  }
  const form = 'text' in body ? parseForm(body.text) : undefined;
  if (!form) return problem(400, { requestId: asked.requestId });
  const { name, fields, trap, hasUnsent, unsentKey, size } = form;
  const key = unsentKey ?? nameOf(deps, name, fields);
  // Only a script requests a form token.
  const sent = { fields, trap, openMs: undefined };
  const isSent = size <= limits.body && (await receive(deps, sent, asked, key)).kind === 'received';
  const page = Object.hasOwn(formPages, name) ? formPages[name as FormName] : formPages.contact;
  const address = hasUnsent ? `${page}?${waitingQuery}` : page;
  return redirect(`${address}#${isSent ? sentFragment : refusedFragment}`, asked.requestId);
}

const samePressMs = 10 * 60 * 1000;

async function receive(
  deps: ContactDeps,
  { fields, trap, openMs }: PostedMessage & SentHow,
  asked: Asked,
  key: string | undefined,
): Promise<ReceiveResult | NotStored> {
  const limited = { what: 'message', bucket: 'message', line: deps.messages } as const;
  const result = await storeLimited(deps, asked, limited, () =>
    storeInBudget(deps, asked, fields, () => receiveMessage(deps, fields, { trap, openMs }, key)),
  );
  if (result.kind === 'received' && result.as === 'quarantined') {
    deps.log.warn('message put aside', { requestId: asked.requestId, why: result.reasons.join(', ') });
  }
  deps.tally.message(nameResult(result));
  return result;
}

/** The budget is charged before storing, so that concurrent requests cannot exceed it. */
async function storeInBudget(
  { rateLimit }: ContactDeps,
  { address }: Asked,
  fields: MessageInput,
  verb: () => Promise<ReceiveResult>,
): Promise<ReceiveResult | NotStored> {
  const bytes = Buffer.byteLength(Object.values(fields).join(''));
  const seconds = await rateLimit.charge(address, bytes);
  if (seconds > 0) return { kind: 'too many', seconds };
  let isStored = false;
  try {
    const result = await verb();
    isStored = result.kind === 'received' && result.as !== 'repeated';
    return result;
  } finally {
    if (!isStored) await rateLimit.refund(address, bytes);
  }
}

function nameResult(result: ReceiveResult | NotStored): MessageResult {
  if (result.kind === 'received') return result.as === 'new' ? 'stored' : result.as;
  return result.kind === 'too many' ? 'limited' : result.kind;
}

/** Without a script a form has no key, so its words are the key. No key from outside contains quotes. */
function nameOf({ clock }: ContactDeps, form: string, fields: MessageInput): string {
  const period = Math.floor(clock.now().getTime() / samePressMs);
  return `form:${JSON.stringify([form, period, fields])}`;
}
