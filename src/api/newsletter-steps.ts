import { type ConfirmDeps, confirmSubscriber } from '../domain/subscribers/confirm-subscriber.ts';
import { type LeaveDeps, leaveNewsletter } from '../domain/subscribers/leave-newsletter.ts';
import { leaveQuery, stepPaths, tokenQuery } from './contract.ts';
import { readBody } from './guards/read-body.ts';
import { problem } from './problem.ts';
import { redirect, reply } from './reply.ts';
import { notStored, type StoringDeps, store } from './storing.ts';
import type { NewsletterResult } from './tally.ts';

type Named = { requestId: string };

/** The buttons send nothing, a mail program one line; longer is none of them. */
export const stepLimit = 4 * 1024;

/** `POST /newsletter/confirm?token=…`: the token alone is the authority, so any site may send it. */
export async function postConfirm(
  deps: ConfirmDeps & StoringDeps,
  request: Request,
  { requestId }: Named,
): Promise<Response> {
  const body = await readBody(request, stepLimit);
  if ('status' in body && body.status === 413) return problem(413, { requestId });
  const { token } = readQuery(request, { token: tokenQuery });
  const result = await store(deps, { requestId }, 'confirmation', () => confirmSubscriber(deps, token));
  deps.tally.newsletter('confirm', nameResult(result));
  if (typeof result === 'object') return redirect(stepPaths.later, requestId);
  return redirect(result ? stepPaths.confirmed : stepPaths.expired, requestId);
}

/**
 * `POST /newsletter/leave?id=…&key=…`, by the button of the page or by the mail program itself (RFC 8058), which brings
 * neither cookie nor origin and follows no redirect.
 */
export async function postLeave(
  deps: LeaveDeps & StoringDeps,
  request: Request,
  { requestId }: Named,
): Promise<Response> {
  const body = await readBody(request, stepLimit);
  if ('status' in body && body.status === 413) return problem(413, { requestId });
  const isOneClick = 'text' in body && oneClick.test(body.text);
  const link = readQuery(request, leaveQuery);
  const result = await store(deps, { requestId }, 'leaving', () => leaveNewsletter(deps, link));
  deps.tally.newsletter('leave', nameResult(result));
  if (typeof result === 'object') {
    return isOneClick ? notStored(result, { requestId }) : redirect(stepPaths.later, requestId);
  }
  if (!isOneClick) return redirect(result ? stepPaths.left : stepPaths['not-left'], requestId);
  return result
    ? reply(200, requestId, 'You will get no more issues.\n', { 'content-type': 'text/plain; charset=utf-8' })
    : problem(404, { requestId });
}

function nameResult(result: boolean | { kind: 'failed' | 'busy' }): NewsletterResult {
  if (typeof result === 'object') return result.kind;
  return result ? 'done' : 'refused';
}

/** As a form writes it, or as a part of several; mail programs do either. */
const oneClick = /List-Unsubscribe(=|"?(\r?\n[^\r\n]+)*\r?\n\r?\n)One-Click/i;

/** The one value of each name; what is not there, or there twice, is nothing. Whatever a mail program adds is ignored. */
function readQuery<Name extends string>(request: Request, names: Record<Name, string>): Record<Name, string> {
  const { searchParams } = new URL(request.url);
  const values = Object.entries<string>(names).map(([name, written]) => {
    const [value, ...more] = searchParams.getAll(written);
    return [name, more.length > 0 ? '' : (value ?? '')];
  });
  return Object.fromEntries(values);
}
