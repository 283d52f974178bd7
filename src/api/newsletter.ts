import { type AskDeps, type AskResult, askToSubscribe } from '../domain/newsletter/request-subscription.ts';
import {
  type Asked,
  type NotStored,
  notStored,
  type StoringDeps,
  storeLimited,
  type WaitingLine,
} from './admission-control.ts';
import {
  checkInbox,
  formField,
  type NewsletterAnswer,
  type NewsletterInput,
  newsletterForms,
  stepPaths,
  wordingField,
} from './contract.ts';
import { widestNetwork } from './guards/ip-networks.ts';
import type { RateLimit } from './guards/rate-limit.ts';
import { postKind, readBody } from './guards/read-body.ts';
import { parseFields, parseObject, pickFields, pickText } from './parse-fields.ts';
import { problem, redirect, replyJson } from './responses.ts';

export type NewsletterDeps = AskDeps & StoringDeps & { rateLimit: RateLimit; signUps: WaitingLine };

export const newsletterLimit = 4 * 1024;

/** `POST /api/newsletter`: the same answer for known and unknown addresses. A plain form gets 303 to a page. */
export async function postNewsletter(
  deps: NewsletterDeps,
  request: Request,
  asked: Asked,
): Promise<Response> {
  const kind = postKind(request);
  if (kind === 'json') return answerJson(deps, request, asked);
  return kind === 'form' ? answerForm(deps, request, asked) : problem(kind, { requestId: asked.requestId });
}

async function answerJson(deps: NewsletterDeps, request: Request, asked: Asked): Promise<Response> {
  const { requestId } = asked;
  const body = await readBody(request, newsletterLimit);
  if ('status' in body) return problem(body.status, { requestId });
  const input = pickText(parseObject(body.text), fields);
  if (!input) return problem(400, { requestId });
  const result = await ask(deps, input, asked);
  switch (result.kind) {
    case 'asked':
      return replyJson({ message: checkInbox } satisfies NewsletterAnswer, requestId);
    case 'refused':
      return problem(422, { requestId, field: 'email', reason: impossible, title: `email ${impossible}` });
    default:
      return notStored(result, asked);
  }
}

async function answerForm(deps: NewsletterDeps, request: Request, asked: Asked): Promise<Response> {
  const body = await readBody(request, newsletterLimit);
  if ('status' in body && body.status === 413) return redirect(stepPaths.refused, asked.requestId);
  const form = 'text' in body ? parseFields(body.text) : undefined;
  if (!form) return problem(400, { requestId: asked.requestId });
  const { kind } = await ask(
    deps,
    pickFields(fields, name => form.get(name) ?? ''),
    asked,
  );
  return redirect(kind === 'asked' ? stepPaths.asked : stepPaths.refused, asked.requestId);
}

const fields = ['email', formField, wordingField] as const satisfies (keyof NewsletterInput)[];

const results = {
  asked: 'done',
  refused: 'refused',
  'too many': 'limited',
  failed: 'failed',
  busy: 'busy',
} as const;

const impossible = 'is not an address that mail can be sent to';

async function ask(
  deps: NewsletterDeps,
  input: NewsletterInput,
  asked: Asked,
): Promise<AskResult | NotStored> {
  const form = newsletterForms.find(name => name === input.form) ?? 'newsletter';
  const limited = { what: 'sign-up', bucket: 'newsletter', line: deps.signUps } as const;
  const result = await storeLimited(deps, asked, limited, () =>
    askToSubscribe(deps, { ...input, form, network: widestNetwork(asked.address) }),
  );
  deps.tally.newsletter('ask', results[result.kind]);
  return result;
}
