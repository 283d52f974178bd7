import { type NewsletterInput, newsletterPath, type Problem } from '../api/contract.ts';
import { readWait } from './send-message.ts';

export type NewsletterResult = { kind: 'sent' } | NewsletterRefusal | { kind: 'offline' };

export type NewsletterRefusal = {
  kind: 'refused';
  /** Mail cannot reach the address; too many have asked; or our side failed. */
  why: 'address' | 'tooMany' | 'fault';
  waitMinutes?: number | undefined;
};

/** Exactly 200 is success, any other status is a refusal, and no answer at all is being offline. */
export async function sendNewsletter(input: NewsletterInput, signal: AbortSignal): Promise<NewsletterResult> {
  let response: Response;
  try {
    response = await fetch(newsletterPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(input),
      // The page that a redirect leads to would answer 200, whatever became of the address.
      redirect: 'manual',
      signal,
    });
  } catch {
    return { kind: 'offline' };
  }
  if (response.status === 200) return { kind: 'sent' };
  const waitMinutes = readWait(response.headers.get('retry-after'));
  if (response.status === 429) return { kind: 'refused', why: 'tooMany', waitMinutes };
  const problem: Partial<Problem> | undefined = await response.json().catch(() => undefined);
  return { kind: 'refused', why: problem?.field === 'email' ? 'address' : 'fault' };
}
