import {
  type AdmissionDeps,
  notStoredResponse,
  type RequestContext,
  tryStore,
} from '../../../core/http/admission-control.ts';
import { readBody } from '../../../core/http/read-body.ts';
import { problem, redirect, replyText } from '../../../core/http/responses.ts';
import { type ConfirmDeps, confirmSubscriber } from '../confirm-subscriber.ts';
import { newsletterPaths, tokenQuery, unsubscribeQuery } from '../contract.ts';
import { type NewsletterResult, newsletterCounter } from '../counters.ts';
import { type UnsubscribeDeps, unsubscribe } from '../unsubscribe.ts';

const maxLinkPostBytes = 4 * 1024;

/** No CSRF check: mail programs post from any origin, and the token is the proof. */
export async function postConfirm(
  deps: ConfirmDeps & AdmissionDeps,
  request: Request,
  { requestId }: Pick<RequestContext, 'requestId'>,
): Promise<Response> {
  const body = await readBody(request, maxLinkPostBytes);
  if ('status' in body && body.status === 413) return problem(413, { requestId });
  const token = readQuery(request, tokenQuery);
  const result = await tryStore(deps, { requestId }, 'confirmation', () => confirmSubscriber(deps, token));
  deps.counters.count(newsletterCounter, { action: 'confirm', result: labelResult(result) });
  if (typeof result === 'object') return redirect(newsletterPaths.unavailable, requestId);
  return redirect(result ? newsletterPaths.confirmed : newsletterPaths.expired, requestId);
}

/** Posted by the page's button, or by a mail program (RFC 8058), which follows no redirect. */
export async function postUnsubscribe(
  deps: UnsubscribeDeps & AdmissionDeps,
  request: Request,
  { requestId }: Pick<RequestContext, 'requestId'>,
): Promise<Response> {
  const body = await readBody(request, maxLinkPostBytes);
  if ('status' in body && body.status === 413) return problem(413, { requestId });
  const isOneClick = 'text' in body && oneClick.test(body.text);
  const link = { id: readQuery(request, unsubscribeQuery.id), key: readQuery(request, unsubscribeQuery.key) };
  const result = await tryStore(deps, { requestId }, 'unsubscription', () => unsubscribe(deps, link));
  deps.counters.count(newsletterCounter, { action: 'unsubscribe', result: labelResult(result) });
  if (typeof result === 'object') {
    return isOneClick
      ? notStoredResponse(result, { requestId })
      : redirect(newsletterPaths.unavailable, requestId);
  }
  if (!isOneClick)
    return redirect(result ? newsletterPaths.unsubscribed : newsletterPaths.unsubscribeFailed, requestId);
  return result ? replyText(200, 'You have unsubscribed.', requestId) : problem(404, { requestId });
}

function labelResult(result: boolean | { kind: 'failed' | 'busy' }): NewsletterResult {
  if (typeof result === 'object') return result.kind;
  return result ? 'done' : 'invalid';
}

const oneClick = /List-Unsubscribe(=|"?(\r?\n[^\r\n]+)*\r?\n\r?\n)One-Click/i;

function readQuery(request: Request, name: string): string {
  const [value = '', ...more] = new URL(request.url).searchParams.getAll(name);
  return more.length > 0 ? '' : value;
}
