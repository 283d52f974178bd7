import type { Problem } from './contract.ts';
import { reply } from './reply.ts';

const titles: Record<number, string> = {
  400: 'The request could not be read',
  401: 'The signature does not fit',
  403: 'Requests from other sites are not accepted',
  404: 'There is nothing at this address',
  405: 'This address does not accept that method',
  413: 'The request is too large',
  415: 'Send JSON or a plain form',
  422: 'A field was refused',
  429: 'Too much came from this network; please try again later',
  500: 'Something went wrong on our side',
  503: 'This could not be stored; please try again',
};

type ProblemExtras = {
  title?: string;
  field?: string;
  reason?: string;
  requestId: string;
  headers?: Record<string, string>;
};

/** A problem document (RFC 9457). It tells the visitor what to do and nothing about us. */
export function problem(status: number, { headers, ...members }: ProblemExtras): Response {
  const body: Problem = { type: 'about:blank', title: titles[status] ?? 'Refused', status, ...members };
  return reply(status, members.requestId, JSON.stringify(body), {
    'content-type': 'application/problem+json',
    ...headers,
  });
}
