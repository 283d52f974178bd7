import { type TokenAnswer, tokenPath } from '../api/contract.ts';

/** Says since when a form stands open. There may be none, for whatever reason: it is never worth waiting for. */
export async function askToken(signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(tokenPath, { signal });
    const answer: Partial<TokenAnswer> | null = response.ok ? await response.json() : null;
    return isToken(answer?.token) ? answer.token : undefined;
  } catch {
    return undefined;
  }
}

/** A network that wants its visitors to log in may answer anything, and not everything can be sent in a header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.-]{1,200}$/.test(value);
}
