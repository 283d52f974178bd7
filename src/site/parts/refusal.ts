import site from 'content:site';
import type { MessageInput } from '../../api/contract.ts';
import type { Refusal } from '../send-message.ts';

/** What a visitor whose message was refused can do next. */
export function describeRefusal({ field, status, waitMinutes }: Refusal): string {
  const { refusals, refusedNext } = site.notices;
  if (field) return refusals.field;
  if (status === 413) return refusals.tooLong;
  if (status === 429) return refusals.tooMany.replace('{when}', describeWait(waitMinutes));
  return status === 503 ? refusals.notStored : refusedNext;
}

/** An e-mail address is refused for being none; every other field only for characters that no database keeps. */
export function describeField(name: keyof MessageInput): string {
  return name === 'email' ? site.notices.emailRefused : site.notices.textRefused;
}

export function describeWait(minutes: number | undefined): string {
  const { unknown, one, many } = site.notices.wait;
  if (!minutes) return unknown;
  return minutes === 1 ? one : many.replace('{number}', String(minutes));
}
