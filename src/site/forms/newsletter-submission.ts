import { consentTextField, type NewsletterForm, type NewsletterInput } from '../../api/contract.ts';
import { type NewsletterResult, sendNewsletter } from './send-newsletter.ts';

/** `offline` is retried automatically; `isUnsent` is an address whose retries ended because the visitor edited it. */
export type NewsletterSubmissionState =
  | { kind: 'idle'; isUnsent?: boolean }
  | { kind: 'sending' }
  | NewsletterResult;

const doublePressMs = 1000;
const answerMs = 30_000;
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

/**
 * Retries until there is an answer, always with the address in the field. Repeats are harmless: one mail a day per
 * address.
 */
export function createNewsletterSubmission(
  form: NewsletterForm,
  show: (state: NewsletterSubmissionState) => void,
) {
  let state: NewsletterSubmissionState = { kind: 'idle' };
  let element: HTMLFormElement;
  let asked = '';
  let attempt: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  let isOpen = false;
  let sentAt = 0;

  function send(): void {
    if (state.kind === 'sending') return;
    pauseMs = firstPauseMs;
    enter({ kind: 'sending' });
    ask();
  }

  async function ask(): Promise<void> {
    endAttempt();
    const current = new AbortController();
    attempt = current;
    const input = readInput();
    asked = input.email;
    const patience = setTimeout(() => current.abort(), answerMs);
    const result = await sendNewsletter(input, current.signal);
    clearTimeout(patience);
    if (attempt !== current) return;
    attempt = undefined;
    if (result.kind === 'offline') return wait();
    if (result.kind === 'sent') {
      if (!isEdited()) element.reset();
      sentAt = Date.now();
    }
    enter(result);
  }

  function wait(): void {
    if (!isOpen) return;
    enter(isEdited() ? { kind: 'idle', isUnsent: true } : { kind: 'offline' });
    timer = setTimeout(askAgain, pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }

  function askAgain(): void {
    if (state.kind === 'offline' && !attempt) ask();
  }

  function noticeEdit(): void {
    if ((state.kind !== 'offline' && state.kind !== 'sending') || !isEdited()) return;
    endAttempt();
    enter({ kind: 'idle', isUnsent: true });
  }

  /** An answer can arrive between the two clicks of a double click: the second must not report an empty field. */
  function noticeEmpty(event: Event): void {
    if (state.kind !== 'sent' || Date.now() - sentAt >= doublePressMs) return;
    event.preventDefault();
    element.reset();
  }

  function readInput(): NewsletterInput {
    const data = new FormData(element);
    return { email: String(data.get('email')), form, wording: String(data.get(consentTextField)) };
  }

  function isEdited(): boolean {
    return readInput().email !== asked;
  }

  function endAttempt(): void {
    clearTimeout(timer);
    attempt?.abort();
    attempt = undefined;
  }

  function enter(next: NewsletterSubmissionState): void {
    state = next;
    show(next);
  }

  /** For the form's `ref`. A request that is under way when the form goes still completes. */
  function attach(attached: HTMLFormElement): () => void {
    element = attached;
    isOpen = true;
    const leaving = new AbortController();
    const { signal } = leaving;
    element.addEventListener('input', noticeEdit, { signal });
    element.addEventListener('invalid', noticeEmpty, { signal, capture: true });
    addEventListener('online', askAgain, { signal });
    return () => {
      isOpen = false;
      clearTimeout(timer);
      leaving.abort();
    };
  }

  return { attach, send };
}
