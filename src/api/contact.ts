import { type ReceiveDeps, receiveMessage } from '../domain/messages/receive-message.ts';
import { errorFields, type Log } from '../lib/log.ts';
import {
  type ContactAnswer,
  type FormName,
  formField,
  formPages,
  limits,
  type MessageInput,
  messageFields,
  refusedFragment,
  sentFragment,
} from './contract.ts';
import { type BodyResult, readBody } from './guards/read-body.ts';
import { isCrossSite } from './guards/same-site.ts';
import { problem } from './problem.ts';

export type ContactDeps = ReceiveDeps & { log: Log; siteUrl: string | undefined };

/** `POST /api/contact`: 200 with a reference once the message is stored; a plain form gets 303 to its own page. */
export async function postContact(deps: ContactDeps, request: Request, requestId: string): Promise<Response> {
  if (isCrossSite(request, deps.siteUrl)) return problem(403, { requestId });
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const answer = answers.get(type ?? '');
  if (!answer) return problem(415, { requestId });
  return answer(deps, await readBody(request, limits.body), requestId);
}

type Answer = (deps: ContactDeps, body: BodyResult, requestId: string) => Promise<Response>;

const answers = new Map<string, Answer>([
  ['application/json', answerJson],
  ['application/x-www-form-urlencoded', answerForm],
]);

async function answerJson(deps: ContactDeps, body: BodyResult, requestId: string): Promise<Response> {
  if ('status' in body) return problem(body.status, { requestId });
  const fields = parseJson(body.text);
  if (!fields) return problem(400, { requestId });
  const result = await store(deps, fields, requestId);
  if (result.kind === 'failed') return problem(503, { requestId });
  if (result.kind === 'refused') {
    return problem(422, { requestId, field: result.field, title: `${result.field} ${result.reason}` });
  }
  const answer: ContactAnswer = { reference: result.reference };
  return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
}

async function answerForm(deps: ContactDeps, body: BodyResult, requestId: string): Promise<Response> {
  if ('status' in body) return redirect(formPages.contact, refusedFragment);
  const form = new URLSearchParams(body.text);
  const fields = pickFields(name => form.get(name) ?? '');
  const result = await store(deps, fields, requestId);
  const name = form.get(formField) ?? '';
  const page = Object.hasOwn(formPages, name) ? formPages[name as FormName] : formPages.contact;
  return redirect(page, result.kind === 'received' ? sentFragment : refusedFragment);
}

function redirect(page: string, fragment: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location: `${page}#${fragment}`, 'cache-control': 'no-store' },
  });
}

async function store(deps: ContactDeps, fields: MessageInput, requestId: string) {
  try {
    return await receiveMessage(deps, fields);
  } catch (error) {
    deps.log.error('message not stored', { requestId, ...errorFields(error) });
    return { kind: 'failed' as const };
  }
}

/** An object whose known fields are text; anything else in it is ignored. */
function parseJson(text: string): MessageInput | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const known = new Map(Object.entries(body));
  const values = messageFields.map(name => known.get(name) ?? '');
  return values.every(value => typeof value === 'string')
    ? pickFields(name => known.get(name) ?? '')
    : undefined;
}

function pickFields(get: (name: string) => string): MessageInput {
  return { name: get('name'), email: get('email'), message: get('message'), service: get('service') };
}
