import type { Problem } from '../../lib/problem.ts';

/** Headers are a plain object, because the Node adapter then writes the response without streams. */
export function reply(
  status: number,
  requestId: string,
  body: string | null,
  headers: Record<string, string>,
): Response {
  return new Response(body, {
    status,
    headers: { 'cache-control': 'no-store', 'x-request-id': requestId, ...headers },
  });
}

/** 303: reloading the page posts nothing again. */
export function redirect(location: string, requestId: string): Response {
  return reply(303, requestId, null, { location });
}

export function replyJson(body: object, requestId: string): Response {
  return reply(200, requestId, JSON.stringify(body), { 'content-type': 'application/json' });
}

export function replyText(status: number, text: string, requestId: string): Response {
  return reply(status, requestId, `${text}\n`, { 'content-type': 'text/plain; charset=utf-8' });
}

const titles: Record<number, string> = {
  400: 'The request could not be read',
  401: 'The signature does not match',
  403: 'Cross-site requests are not accepted',
  404: 'Not found',
  405: 'Method not allowed',
  413: 'The request is too large',
  415: 'Send JSON or a plain form',
  422: 'A field is not valid',
  429: 'Too many requests from this network; please try again later',
  500: 'Something went wrong on our side',
  503: 'The request could not be stored; please try again',
};

type ProblemExtras = {
  title?: string;
  field?: string;
  reason?: string;
  requestId: string;
  headers?: Record<string, string>;
};

export function problem(status: number, { headers, ...members }: ProblemExtras): Response {
  const body: Problem = {
    type: 'about:blank',
    title: titles[status] ?? 'Request failed',
    status,
    ...members,
  };
  return reply(status, members.requestId, JSON.stringify(body), {
    'content-type': 'application/problem+json',
    ...headers,
  });
}

export function invalidField(field: string, reason: string, requestId: string): Response {
  return problem(422, { requestId, field, reason, title: `${field} ${reason}` });
}
