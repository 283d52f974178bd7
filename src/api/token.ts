import type { TokenAnswer } from './contract.ts';
import type { FormTokens } from './guards/form-tokens.ts';
import { reply } from './reply.ts';

/** `GET /api/token`: says since when a form stands open. Nothing is stored of it. */
export function getToken(formTokens: Pick<FormTokens, 'issue'>, requestId: string): Response {
  const answer: TokenAnswer = { token: formTokens.issue() };
  return reply(200, requestId, JSON.stringify(answer), { 'content-type': 'application/json' });
}
