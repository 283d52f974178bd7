import { postJson } from '../../../ui/forms/post-json.ts';
import {
  consentTextField,
  type NewsletterFormName,
  type NewsletterInput,
  type NewsletterResponse,
  signUpPath,
} from '../contract.ts';

type NewsletterResult = { kind: 'sent' } | NewsletterRefusal | { kind: 'offline' };

export type NewsletterRefusal = {
  kind: 'refused';
  reason: 'address' | 'tooMany' | 'fault';
  retryAfterMinutes?: number | undefined;
};

export type NewsletterSubmissionState =
  | { kind: 'idle'; wasEdited?: boolean }
  | { kind: 'sending' }
  | NewsletterResult;

const doubleClickMs = 1000;
const responseTimeoutMs = 30_000;
const minRetryDelayMs = 5_000;
const maxRetryDelayMs = 60_000;

/** Retries until there is a response. Repeats are harmless: the server sends one mail a day per address. */
export function createNewsletterSubmission(
  form: NewsletterFormName,
  onChange: (state: NewsletterSubmissionState) => void,
) {
  let state: NewsletterSubmissionState = { kind: 'idle' };
  let element: HTMLFormElement;
  let submittedEmail = '';
  let attempt: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryDelayMs = minRetryDelayMs;
  let isMounted = false;
  let sentAt = 0;

  function send(): void {
    if (state.kind === 'sending') return;
    retryDelayMs = minRetryDelayMs;
    setState({ kind: 'sending' });
    post();
  }

  async function post(): Promise<void> {
    cancelAttempt();
    const current = new AbortController();
    attempt = current;
    const input = readInput();
    submittedEmail = input.email;
    const timeout = setTimeout(() => current.abort(), responseTimeoutMs);
    const result = await sendNewsletter(input, current.signal);
    clearTimeout(timeout);
    if (attempt !== current) return;
    attempt = undefined;
    if (result.kind === 'offline') return scheduleRetry();
    if (result.kind === 'sent') {
      if (!isEdited()) element.reset();
      sentAt = Date.now();
    }
    setState(result);
  }

  function scheduleRetry(): void {
    if (!isMounted) return;
    setState(isEdited() ? { kind: 'idle', wasEdited: true } : { kind: 'offline' });
    timer = setTimeout(retry, retryDelayMs);
    retryDelayMs = Math.min(retryDelayMs * 2, maxRetryDelayMs);
  }

  function retry(): void {
    if (state.kind === 'offline' && !attempt) post();
  }

  function detectEdit(): void {
    if ((state.kind !== 'offline' && state.kind !== 'sending') || !isEdited()) return;
    cancelAttempt();
    setState({ kind: 'idle', wasEdited: true });
  }

  /** The response can arrive between the two clicks of a double click, and empties the field. */
  function refuseInvalid(event: Event): void {
    event.preventDefault();
    const isDoubleClick = state.kind === 'sent' && Date.now() - sentAt < doubleClickMs;
    if (isDoubleClick && readInput().email === '') element.reset();
    else if (state.kind !== 'sending') setState({ kind: 'refused', reason: 'address' });
  }

  function readInput(): NewsletterInput {
    const data = new FormData(element);
    return { email: String(data.get('email')), form, wording: String(data.get(consentTextField)) };
  }

  function isEdited(): boolean {
    return readInput().email !== submittedEmail;
  }

  function cancelAttempt(): void {
    clearTimeout(timer);
    attempt?.abort();
    attempt = undefined;
  }

  function setState(next: NewsletterSubmissionState): void {
    state = next;
    onChange(next);
  }

  function attach(mounted: HTMLFormElement): () => void {
    element = mounted;
    isMounted = true;
    const listeners = new AbortController();
    const { signal } = listeners;
    element.addEventListener('input', detectEdit, { signal });
    element.addEventListener('invalid', refuseInvalid, { signal, capture: true });
    addEventListener('online', retry, { signal });
    return () => {
      isMounted = false;
      clearTimeout(timer);
      listeners.abort();
    };
  }

  return { attach, send };
}

async function sendNewsletter(input: NewsletterInput, signal: AbortSignal): Promise<NewsletterResult> {
  const response = await postJson<NewsletterResponse>(signUpPath, input, {}, signal);
  if (!response) return { kind: 'offline' };
  const { status, json, retryAfterMinutes } = response;
  // A captive portal answers 200 to everything.
  if (status === 200) return { kind: typeof json?.message === 'string' ? 'sent' : 'offline' };
  if (status === 429) return { kind: 'refused', reason: 'tooMany', retryAfterMinutes };
  return { kind: 'refused', reason: json?.field === 'email' ? 'address' : 'fault' };
}
