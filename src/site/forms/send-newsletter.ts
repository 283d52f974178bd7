import { type NewsletterInput, type NewsletterResponse, newsletterPath } from '../../api/contract.ts';
import { postJson } from './send-message.ts';

export type NewsletterResult = { kind: 'sent' } | NewsletterRefusal | { kind: 'offline' };

export type NewsletterRefusal = {
  kind: 'refused';
  why: 'address' | 'tooMany' | 'fault';
  waitMinutes?: number | undefined;
};

/** 200 with our own body is success, any other status is a refusal, and no answer at all is being offline. */
export async function sendNewsletter(input: NewsletterInput, signal: AbortSignal): Promise<NewsletterResult> {
  const posted = await postJson<NewsletterResponse>(newsletterPath, input, {}, signal);
  if (!posted) return { kind: 'offline' };
  const { status, answer, waitMinutes } = posted;
  // A captive portal answers 200 to everything.
  if (status === 200) return { kind: typeof answer?.message === 'string' ? 'sent' : 'offline' };
  if (status === 429) return { kind: 'refused', why: 'tooMany', waitMinutes };
  return { kind: 'refused', why: answer?.field === 'email' ? 'address' : 'fault' };
}
