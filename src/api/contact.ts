import { type ReceiveDeps, type ReceiveResult, receiveMessage } from '../domain/messages/receive-message.ts';
import { within } from '../lib/clock.ts';
import { errorFields, type Log } from '../lib/log.ts';
import {
  type ContactAnswer,
  type FormName,
  formPages,
  idempotencyHeader,
  limits,
  type MessageInput,
  refusedFragment,
  sentFragment,
  waitingQuery,
} from './contract.ts';
import type { RateLimit } from './guards/rate-limit.ts';
import { readBody } from './guards/read-body.ts';
import { isCrossSite } from './guards/same-site.ts';
import { parseForm, parseJson, parseKey } from './parse-message.ts';
import { problem } from './problem.ts';
import { reply } from './reply.ts';

export type ContactDeps = Omit<ReceiveDeps, 'isFlood'> & {
  log: Log;
  siteUrl: string | undefined;
  rateLimit: RateLimit;
  /** Names a form post by its words: pressed twice in a row, it is one message. */
  nameForm(text: string): string;
  /** A message could not be stored: whoever asks should learn that this process is not well. */
  onNotStored(): void;
};

export type Asked = { requestId: string; address: string };

/** `POST /api/contact`: 200 with a reference once the message is stored; a plain form gets 303 to its own page. */
export async function postContact(deps: ContactDeps, request: Request, asked: Asked): Promise<Response> {
  const { requestId } = asked;
  if (isCrossSite(request, deps.siteUrl)) return problem(403, { requestId });
  // What is packed could be far larger than it looks, and no browser packs a post.
  if (request.headers.has('content-encoding')) return problem(415, { requestId });
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return answerJson(deps, request, asked);
  if (type === 'application/x-www-form-urlencoded') return answerForm(deps, request, asked);
  return problem(415, { requestId });
}

async function answerJson(deps: ContactDeps, request: Request, asked: Asked): Promise<Response> {
  const { requestId } = asked;
  const body = await readBody(request, limits.body);
  if ('status' in body) return problem(body.status, { requestId });
  const fields = parseJson(body.text);
  if (!fields) return problem(400, { requestId });
  const header = request.headers.get(idempotencyHeader);
  const key = header === null ? undefined : parseKey(header);
  if (key === null) return problem(400, { requestId, title: 'The Idempotency-Key could not be read' });
  const result = await receive(deps, fields, asked, key);
  switch (result.kind) {
    case 'received':
      return accepted({ reference: result.reference }, requestId);
    case 'refused':
      return problem(422, {
        requestId,
        field: result.field,
        reason: result.reason,
        title: `${result.field} ${result.reason}`,
      });
    case 'conflict':
      return problem(422, { requestId, title: 'The Idempotency-Key belongs to another message' });
    case 'too many':
      return problem(429, { requestId, headers: { 'retry-after': String(result.seconds) } });
    case 'failed':
      return problem(503, { requestId, headers: { 'retry-after': '5' } });
  }
}

async function answerForm(deps: ContactDeps, request: Request, asked: Asked): Promise<Response> {
  const body = await readBody(request, limits.form);
  if ('status' in body) return redirect(formPages.contact, refusedFragment, asked.requestId);
  const { name, fields, hasUnsent, unsentKey, size, isWhole } = parseForm(body.text);
  const key = unsentKey ?? nameOf(deps, name, fields);
  const isSent =
    isWhole && size <= limits.body && (await receive(deps, fields, asked, key)).kind === 'received';
  const page = Object.hasOwn(formPages, name) ? formPages[name as FormName] : formPages.contact;
  const address = hasUnsent ? `${page}?${waitingQuery}` : page;
  return redirect(address, isSent ? sentFragment : refusedFragment, asked.requestId);
}

function accepted(answer: ContactAnswer, requestId: string): Response {
  return reply(200, requestId, JSON.stringify(answer), { 'content-type': 'application/json' });
}

function redirect(page: string, fragment: string, requestId: string): Response {
  return reply(303, requestId, null, { location: `${page}#${fragment}` });
}

type Received = ReceiveResult | { kind: 'too many'; seconds: number } | { kind: 'failed' };

/** The same words from the same form within such a period are one message. */
const samePressMs = 10 * 60 * 1000;

/** A disk or a database that no longer answers must not hold a visitor. */
const storeWithinMs = 8000;

async function receive(
  deps: ContactDeps,
  fields: MessageInput,
  { requestId, address }: Asked,
  key: string | undefined,
): Promise<Received> {
  const seconds = await deps.rateLimit.secondsToWait(address);
  if (seconds > 0) return { kind: 'too many', seconds };
  try {
    const isFlood = async () => {
      const isTooMuch = await deps.rateLimit.isFlood();
      if (isTooMuch) deps.log.warn('message put aside', { requestId, why: 'flood' });
      return isTooMuch;
    };
    return await within(storeWithinMs, receiveMessage({ ...deps, isFlood }, fields, key));
  } catch (error) {
    deps.log.error('message not stored', { requestId, ...errorFields(error) });
    deps.onNotStored();
    return { kind: 'failed' };
  }
}

/** Without a script a form has no key. Whoever presses twice sends the same words, and soon. */
function nameOf({ nameForm, clock }: ContactDeps, form: string, fields: MessageInput): string {
  const period = Math.floor(clock.now().getTime() / samePressMs);
  return `form:${nameForm(JSON.stringify([form, period, fields]))}`;
}
