import type { Problem } from './contract.ts';

const titles: Record<number, string> = {
  400: 'The request could not be read',
  403: 'Requests from other sites are not accepted',
  404: 'There is nothing at this address',
  405: 'This address does not accept that method',
  413: 'The request is too large',
  415: 'Send JSON or a plain form',
  422: 'A field was refused',
  500: 'Something went wrong on our side',
  503: 'The message could not be stored; please try again',
};

type ProblemExtras = { title?: string; field?: string; requestId?: string; headers?: Record<string, string> };

/** A problem document (RFC 9457). It tells the visitor what to do and nothing about us. */
export function problem(status: number, extras: ProblemExtras = {}): Response {
  const { headers, ...members } = extras;
  const body: Problem = { type: 'about:blank', title: titles[status] ?? 'Refused', status, ...members };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  });
}
