import { canRetry, fetchFormToken, sendMessage } from 'site:forms';
import { honeypotField } from '../../../ui/contract.ts';
import { type FormName, hadUnsentQuery, notSentFragment } from '../contract.ts';
import { isEmptyMessage, type MessageFields, messageFieldNames } from '../message-fields.ts';
import { createIdempotencyKey, type SendResult } from './send-message.ts';
import {
  isExpired,
  isSaved,
  readUnsent,
  removeUnsent,
  saveUnsent,
  type UnsentMessage,
} from './unsent-message.ts';

export type SubmissionState =
  | { kind: 'idle'; unsentReason?: 'edited' | 'stopped' | 'expired' | 'failed' }
  /** Refused by the browser's own check; without a field once it is corrected. */
  | { kind: 'invalid'; field?: 'email' }
  | { kind: 'sending' }
  | SendResult;

const doubleClickMs = 1000;
const responseTimeoutMs = 30_000;
const noResponse: SubmissionState = canRetry ? { kind: 'offline' } : { kind: 'idle', unsentReason: 'failed' };
const minRetryDelayMs = 5_000;
const maxRetryDelayMs = 60_000;

/** Retries with the same idempotency key until there is a response, always with what the form shows. */
export function createMessageSubmission(form: FormName, onChange: (state: SubmissionState) => void) {
  let state: SubmissionState = { kind: 'idle' };
  let element: HTMLFormElement;
  let message: UnsentMessage | undefined;
  let attempt: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryDelayMs = minRetryDelayMs;
  let isMounted = false;
  let sentAt = 0;
  let wasSaved = false;
  let token: string | undefined;

  /** Returns whether anything is sent. The request starts after the next paint, so that the press shows at once. */
  function send(): boolean {
    if (state.kind === 'sending') return false;
    detectEdit();
    const fields = readFields(element);
    if (isDoubleClick(fields)) return false;
    message = { form, fields, key: message?.key ?? createIdempotencyKey(), pressedAt: Date.now() };
    retryDelayMs = minRetryDelayMs;
    state = { kind: 'sending' };
    post(message);
    return true;
  }

  /** The response can arrive between the two clicks of a double click, and empties the form. */
  function isDoubleClick(fields: UnsentMessage['fields']): boolean {
    const isEmpty = state.kind === 'sent' && !Object.values(fields).some(Boolean);
    return isEmpty && Date.now() - sentAt < doubleClickMs;
  }

  async function post(sent: UnsentMessage): Promise<void> {
    cancelAttempt();
    const current = new AbortController();
    attempt = current;
    const timeout = setTimeout(() => current.abort(), responseTimeoutMs);
    await waitForPaint();
    if (state.kind === 'sending') onChange(state);
    const honeypot = String(new FormData(element).get(honeypotField) ?? '');
    const result = await sendMessage({ ...sent, honeypot, token }, current.signal);
    clearTimeout(timeout);
    if (attempt !== current) return;
    attempt = undefined;
    const isEdited = message !== sent;
    if (result.kind === 'offline') return isEdited ? stop('edited') : scheduleRetry(sent);
    // An unmounted form cannot show a refusal: the message stays saved and is posted again when the form is back.
    if (result.kind === 'refused' && !isMounted) return;
    removeUnsent(sent);
    if (result.kind === 'sent') {
      if (!isEdited) element.reset();
      message = undefined;
      sentAt = Date.now();
      return setState({ ...result, isEmpty: isEmptyMessage(sent.fields) });
    }
    setState(result);
  }

  function scheduleRetry(unsent: UnsentMessage): void {
    // An unmounted form has saved it already, and the visitor may have cancelled it since.
    if (!isMounted) return;
    wasSaved = saveUnsent(unsent);
    setState(noResponse);
    if (!canRetry) return;
    timer = setTimeout(() => {
      if (!document.hidden) retry();
    }, retryDelayMs);
    retryDelayMs = Math.min(retryDelayMs * 2, maxRetryDelayMs);
  }

  function retry(): void {
    if (state.kind !== 'offline' || attempt || !message) return;
    if (isExpired(message)) stop('expired');
    // Cancelled or sent by another page, while this one was in the back/forward cache.
    else if (wasSaved && !isSaved(message)) stop('stopped');
    else post(message);
  }

  function retryNow(): void {
    retryDelayMs = minRetryDelayMs;
    retry();
  }

  /** Shown at the field in our words. Without JavaScript the browser shows its own. */
  function refuseInvalid(event: Event): void {
    event.preventDefault();
    if (state.kind !== 'sending') setState({ kind: 'invalid', field: 'email' });
  }

  function detectEdit(): void {
    if (state.kind === 'invalid' && element.matches(':valid')) setState({ kind: 'invalid' });
    if (!message || areEqual(message.fields, readFields(element))) return;
    removeUnsent(message);
    message = undefined;
    if (state.kind === 'offline') stop('edited');
  }

  function stop(unsentReason: 'edited' | 'stopped' | 'expired'): void {
    cancelAttempt();
    if (message) removeUnsent(message);
    setState({ kind: 'idle', unsentReason });
  }

  function cancelAttempt(): void {
    clearTimeout(timer);
    attempt?.abort();
    attempt = undefined;
  }

  function setState(next: SubmissionState): void {
    state = next;
    onChange(next);
  }

  function resumeUnsent(unsent: UnsentMessage): void {
    fillFields(element, unsent.fields);
    message = unsent;
    setState(noResponse);
    detectEdit();
    retry();
  }

  /** A native post contained the unsent message: it is not sent again, only restored if it was refused. */
  function applyNativeResponse(unsent: UnsentMessage, fragment: string): void {
    removeUnsent(unsent);
    if (fragment !== notSentFragment) return;
    fillFields(element, unsent.fields);
    message = unsent;
    detectEdit();
  }

  /** A page that is left may never receive the response. */
  function saveIfPending(): void {
    if (attempt && message) saveUnsent(message);
  }

  function attach(mounted: HTMLFormElement): () => void {
    element = mounted;
    isMounted = true;
    const listeners = new AbortController();
    const { signal } = listeners;
    element.addEventListener('invalid', refuseInvalid, { signal, capture: true });
    for (const type of ['input', 'change']) element.addEventListener(type, detectEdit, { signal });
    for (const type of ['online', 'pageshow']) addEventListener(type, retryNow, { signal });
    document.addEventListener('visibilitychange', () => document.hidden || retryNow(), { signal });
    addEventListener('pagehide', saveIfPending, { signal });
    fetchFormToken(signal).then(fetched => {
      token = fetched;
    });
    const unsent = readUnsent(form);
    const fragment = consumeNativeResponse();
    if (unsent && fragment) applyNativeResponse(unsent, fragment);
    else if (unsent) resumeUnsent(unsent);
    return () => {
      isMounted = false;
      clearTimeout(timer);
      listeners.abort();
      saveIfPending();
    };
  }

  return { attach, send, stop: () => stop('stopped') };
}

function consumeNativeResponse(): string | undefined {
  const { hash, pathname, search } = location;
  if (search !== `?${hadUnsentQuery}`) return undefined;
  history.replaceState(history.state, '', pathname + hash);
  return hash.slice(1);
}

/** A hidden page paints no frame, hence the timeout. */
function waitForPaint(): Promise<void> {
  return new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 200);
  });
}

type Fields = Partial<MessageFields>;
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function readFields(form: HTMLFormElement): Fields {
  const data = new FormData(form);
  return Object.fromEntries(
    messageFieldNames.filter(name => data.has(name)).map(name => [name, data.get(name)]),
  );
}

function fillFields(form: HTMLFormElement, fields: Fields): void {
  for (const name of messageFieldNames) {
    const field = form.elements.namedItem(name) as Field | null;
    if (field) field.value ||= fields[name] ?? '';
  }
}

function areEqual(one: Fields, other: Fields): boolean {
  return messageFieldNames.every(name => one[name] === other[name]);
}
