import { type ReceiveDeps, type ReceiveResult, receiveMessage } from '../domain/messages/receive-message.ts';
import { within } from '../lib/clock.ts';
import { errorFields, type Log } from '../lib/log.ts';
import {
  type ContactAnswer,
  type FormName,
  formField,
  formPages,
  idempotencyHeader,
  limits,
  type MessageInput,
  messageFields,
  refusedFragment,
  sentFragment,
  unsentField,
} from './contract.ts';
import type { RateLimit } from './guards/rate-limit.ts';
import { type BodyResult, readBody } from './guards/read-body.ts';
import { isCrossSite } from './guards/same-site.ts';
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
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const answer = answers.get(type ?? '');
  if (!answer) return problem(415, { requestId });
  return answer(deps, await readBody(request, limits.body), asked, request.headers.get(idempotencyHeader));
}

type Answer = (deps: ContactDeps, body: BodyResult, asked: Asked, key: string | null) => Promise<Response>;

const answers = new Map<string, Answer>([
  ['application/json', answerJson],
  ['application/x-www-form-urlencoded', answerForm],
]);

async function answerJson(
  deps: ContactDeps,
  body: BodyResult,
  asked: Asked,
  header: string | null,
): Promise<Response> {
  const { requestId } = asked;
  if ('status' in body) return problem(body.status, { requestId });
  const fields = parseJson(body.text);
  if (!fields) return problem(400, { requestId });
  const key = header === null ? undefined : parseKey(header);
  if (key === null) return problem(400, { requestId, title: 'The Idempotency-Key could not be read' });
  const result = await receive(deps, fields, asked, key);
  switch (result.kind) {
    case 'received':
      return accepted({ reference: result.reference }, requestId);
    case 'refused':
      return problem(422, { requestId, field: result.field, title: `${result.field} ${result.reason}` });
    case 'conflict':
      return problem(422, { requestId, title: 'The Idempotency-Key belongs to another message' });
    case 'too many':
      return problem(429, { requestId, headers: { 'retry-after': String(result.seconds) } });
    case 'failed':
      return problem(503, { requestId, headers: { 'retry-after': '5' } });
  }
}

async function answerForm(deps: ContactDeps, body: BodyResult, asked: Asked): Promise<Response> {
  if ('status' in body) return redirect(formPages.contact, refusedFragment, asked.requestId);
  const form = new URLSearchParams(body.text);
  const fields = pickFields(name => form.get(name) ?? '');
  const name = form.get(formField) ?? '';
  const key = findUnsentKey(form.get(unsentField) ?? '', fields) ?? nameOf(deps, name, fields);
  const result = await receive(deps, fields, asked, key);
  const page = Object.hasOwn(formPages, name) ? formPages[name as FormName] : formPages.contact;
  return redirect(page, result.kind === 'received' ? sentFragment : refusedFragment, asked.requestId);
}

function accepted(answer: ContactAnswer, requestId: string): Response {
  return reply(200, requestId, JSON.stringify(answer), { 'content-type': 'application/json' });
}

function redirect(page: string, fragment: string, requestId: string): Response {
  return reply(303, requestId, null, { location: `${page}#${fragment}` });
}

type Received = ReceiveResult | { kind: 'too many'; seconds: number } | { kind: 'failed' };

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
    const { isFlood } = deps.rateLimit;
    return await within(storeWithinMs, receiveMessage({ ...deps, isFlood }, fields, key));
  } catch (error) {
    deps.log.error('message not stored', { requestId, ...errorFields(error) });
    deps.onNotStored();
    return { kind: 'failed' };
  }
}

/** Anything that could be a name: visible characters, in quotes or without. */
function parseKey(header: string): string | null {
  return /^"?([!#-~]{1,200})"?$/.exec(header)?.[1] ?? null;
}

/** A message that waits in the tab, if it is this very one, has a key: by script or by form, it arrives once. */
function findUnsentKey(text: string, posted: MessageInput): string | undefined {
  if (!text) return undefined;
  const unsent = parseObject(text);
  const fields = unsent && parseFields(unsent.get('fields'));
  const key = unsent?.get('key');
  const isSame = fields && messageFields.every(name => oneLine(fields[name]) === oneLine(posted[name]));
  return isSame && typeof key === 'string' ? (parseKey(key) ?? undefined) : undefined;
}

/** The ends of lines are all that a form changes. */
function oneLine(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Without a script a form has no key. Whoever presses twice sends the same words within the same minute. */
function nameOf({ nameForm, clock }: ContactDeps, form: string, fields: MessageInput): string {
  const minute = Math.floor(clock.now().getTime() / 60_000);
  return `form:${nameForm(JSON.stringify([form, minute, fields]))}`;
}

/** An object whose known fields are text; anything else in it is ignored. */
function parseJson(text: string): MessageInput | undefined {
  return parseFields(parseObject(text));
}

function parseObject(text: string): Map<string, unknown> | undefined {
  try {
    return toMap(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function toMap(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}

function parseFields(value: unknown): MessageInput | undefined {
  const known = value instanceof Map ? (value as Map<string, unknown>) : toMap(value);
  if (!known) return undefined;
  const isText = messageFields.every(name => typeof (known.get(name) ?? '') === 'string');
  return isText ? pickFields(name => (known.get(name) ?? '') as string) : undefined;
}

function pickFields(get: (name: string) => string): MessageInput {
  return { name: get('name'), email: get('email'), message: get('message'), service: get('service') };
}
