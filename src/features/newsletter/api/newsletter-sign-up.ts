import {
  type AdmissionDeps,
  type Capacity,
  type NotStored,
  notStoredResponse,
  type RequestContext,
  tryStoreRateLimited,
} from '../../../core/http/admission-control.ts';
import { parseFields, parseObject, pickFields, pickText } from '../../../core/http/parse-fields.ts';
import { type RateLimit, widestNetwork } from '../../../core/http/rate-limits.ts';
import { parseContentType, readBody } from '../../../core/http/read-body.ts';
import { invalidField, problem, redirect, replyJson } from '../../../core/http/responses.ts';
import { formField } from '../../../ui/contract.ts';
import {
  consentTextField,
  type NewsletterInput,
  type NewsletterResponse,
  newsletterForms,
  newsletterPaths,
  signUpMessage,
} from '../contract.ts';
import { newsletterCounter } from '../counters.ts';
import { signUpLimits } from '../limits.ts';
import { requestSubscription, type SignUpDeps, type SignUpResult } from '../request-subscription.ts';

export type NewsletterDeps = SignUpDeps & AdmissionDeps & { rateLimit: RateLimit; signUps: Capacity };

export const maxNewsletterBytes = 4 * 1024;

/** Responds alike for known and unknown addresses. */
export async function postNewsletter(
  deps: NewsletterDeps,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const kind = parseContentType(request);
  if (kind === 'json') return handleJson(deps, request, context);
  return kind === 'form'
    ? handleForm(deps, request, context)
    : problem(kind, { requestId: context.requestId });
}

async function handleJson(
  deps: NewsletterDeps,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const { requestId } = context;
  const body = await readBody(request, maxNewsletterBytes);
  if ('status' in body) return problem(body.status, { requestId });
  const input = pickText(parseObject(body.text), fields);
  if (!input) return problem(400, { requestId });
  const result = await signUp(deps, input, context);
  switch (result.kind) {
    case 'requested':
      return replyJson({ message: signUpMessage } satisfies NewsletterResponse, requestId);
    case 'invalid address':
      return invalidField('email', 'is not an address that mail can be sent to', requestId);
    default:
      return notStoredResponse(result, context);
  }
}

async function handleForm(
  deps: NewsletterDeps,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const body = await readBody(request, maxNewsletterBytes);
  if ('status' in body && body.status === 413) return redirect(newsletterPaths.invalid, context.requestId);
  const form = 'text' in body ? parseFields(body.text) : undefined;
  if (!form) return problem(400, { requestId: context.requestId });
  const { kind } = await signUp(
    deps,
    pickFields(fields, name => form.get(name) ?? ''),
    context,
  );
  return redirect(
    kind === 'requested' ? newsletterPaths.requested : newsletterPaths.invalid,
    context.requestId,
  );
}

const fields = ['email', formField, consentTextField] as const satisfies (keyof NewsletterInput)[];

const results = {
  requested: 'done',
  'invalid address': 'invalid',
  'rate limited': 'rate-limited',
  failed: 'failed',
  busy: 'busy',
} as const;

async function signUp(
  deps: NewsletterDeps,
  { email, form: formName, wording: consentTextId }: NewsletterInput,
  context: RequestContext,
): Promise<SignUpResult | NotStored> {
  const form = newsletterForms.find(name => name === formName) ?? 'newsletter';
  const limit = { label: 'sign-up', limit: signUpLimits.newsletter, capacity: deps.signUps };
  const result = await tryStoreRateLimited(deps, context, limit, () =>
    requestSubscription(deps, { email, form, consentTextId, network: widestNetwork(context.ip) }),
  );
  deps.counters.count(newsletterCounter, { action: 'sign-up', result: results[result.kind] });
  return result;
}
