import { site } from 'content:site';
import { describeRetryAfter } from '../../../ui/forms/form-feedback.ts';
import type { MessageFieldName } from '../message-fields.ts';
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
