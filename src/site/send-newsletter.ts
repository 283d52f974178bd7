import {
  type NewsletterAnswer,
  type NewsletterInput,
  newsletterPath,
  type Problem,
} from '../api/contract.ts';
import { readWait } from './send-message.ts';

export type NewsletterResult = { kind: 'sent' } | NewsletterRefusal | { kind: 'offline' };

export type NewsletterRefusal = {
  kind: 'refused';
  /** Mail cannot reach the address; too many have asked; or our side failed. */
  why: 'address' | 'tooMany' | 'fault';
  waitMinutes?: number | undefined;
};

/** 200 in our own words is success, any other status is a refusal, and no answer of ours at all is being offline. */
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
  const answer: Partial<NewsletterAnswer & Problem> | undefined = await response
    .json()
    .catch(() => undefined);
  // A network that wants its visitors to log in answers 200 to everything.
  if (response.status === 200) return { kind: typeof answer?.message === 'string' ? 'sent' : 'offline' };
  const waitMinutes = readWait(response.headers.get('retry-after'));
  if (response.status === 429) return { kind: 'refused', why: 'tooMany', waitMinutes };
  return { kind: 'refused', why: answer?.field === 'email' ? 'address' : 'fault' };
}
