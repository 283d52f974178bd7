import { site } from 'content:site';

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
