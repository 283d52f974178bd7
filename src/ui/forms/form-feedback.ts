import { site } from 'content:site';
import type { MessageFieldName } from '../../features/messages/message-fields.ts';
import type { MessageRefusal } from './send-message.ts';

export function describeRefusal({ field, status, retryAfterMinutes }: MessageRefusal): string {
  const { refusals, refusedNext } = site.notices;
  if (field) return refusals.field;
  if (status === 413) return refusals.tooLong;
  if (status === 429) return refusals.tooMany.replace('{when}', describeRetryAfter(retryAfterMinutes));
  return status === 503 ? refusals.notStored : refusedNext;
}

/** Other fields than the email are refused only for characters that the database cannot store. */
export function describeFieldError(name: MessageFieldName): string {
  return name === 'email' ? site.notices.emailRefused : site.notices.textRefused;
}

export function describeRetryAfter(minutes: number | undefined): string {
  const { unknown, one, many } = site.notices.wait;
  if (!minutes) return unknown;
  return minutes === 1 ? one : many.replace('{number}', String(minutes));
}

export function focusField(id: string): void {
  const field = document.getElementById(id) as HTMLInputElement | null;
  const focused = document.activeElement ?? document.body;
  if (focused === document.body || field?.form?.contains(focused)) field?.focus();
}

export function scrollToFeedback(feedback: HTMLElement | null): void {
  const rect = feedback?.parentElement?.getBoundingClientRect();
  if (rect && rect.bottom > 0 && rect.top < innerHeight) feedback?.scrollIntoView({ block: 'nearest' });
}
