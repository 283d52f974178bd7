import site from 'content:site';
import type { MessageInput } from '../../api/contract.ts';
import type { Refusal } from './send-message.ts';

export function describeRefusal({ field, status, waitMinutes }: Refusal): string {
  const { refusals, refusedNext } = site.notices;
  if (field) return refusals.field;
  if (status === 413) return refusals.tooLong;
  if (status === 429) return refusals.tooMany.replace('{when}', describeRetryAfter(waitMinutes));
  return status === 503 ? refusals.notStored : refusedNext;
}

/** Fields other than the email are refused only for characters that no database stores. */
export function describeFieldError(name: keyof MessageInput): string {
  return name === 'email' ? site.notices.emailRefused : site.notices.textRefused;
}

export function describeRetryAfter(minutes: number | undefined): string {
  const { unknown, one, many } = site.notices.wait;
  if (!minutes) return unknown;
  return minutes === 1 ? one : many.replace('{number}', String(minutes));
}

/** Leaves the focus alone if the visitor has gone on to something else on the page. */
export function focusField(id: string): void {
  const field = document.getElementById(id) as HTMLInputElement | null;
  const focused = document.activeElement ?? document.body;
  if (focused === document.body || field?.form?.contains(focused)) field?.focus();
}

/** The answer may come minutes later: a visitor who has scrolled away stays there. */
export function scrollToFeedback(answer: HTMLElement | null): void {
  const place = answer?.closest('form')?.getBoundingClientRect();
  if (place && place.bottom > 0 && place.top < innerHeight) answer?.scrollIntoView({ block: 'nearest' });
}
