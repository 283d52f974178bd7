import { canRetry, fetchFormToken, sendMessage } from 'site:endpoint';
import {
  type FormName,
  honeypotField,
  type MessageInput,
  messageFields,
  refusedFragment,
  waitingQuery,
} from '../../api/contract.ts';
import { createIdempotencyKey, type SendResult } from './send-message.ts';
import { forgetUnsent, isExpired, readUnsent, saveUnsent, type UnsentMessage } from './unsent-message.ts';

/** `offline` is a message that is retried automatically; `unsent` says why one no longer is. */
export type SubmissionState =
  | { kind: 'idle'; unsent?: 'edited' | 'stopped' | 'expired' | 'failed' }
  | { kind: 'sending' }
  | SendResult;

const doublePressMs = 1000;
const answerMs = 30_000;
const unanswered: SubmissionState = canRetry ? { kind: 'offline' } : { kind: 'idle', unsent: 'failed' };
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

/** Retries with the same idempotency key until there is an answer, always with what the form shows. */
export function createMessageSubmission(form: FormName, show: (state: SubmissionState) => void) {
  let state: SubmissionState = { kind: 'idle' };
  let element: HTMLFormElement;
  /** The last one sent, while the form still holds exactly that: an edit, like success, ends it and its key. */
  let message: UnsentMessage | undefined;
  let attempt: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  let isOpen = false;
  let sentAt = 0;
  let token: string | undefined;

  /** Whether there is anything to send. The request starts after the frame that answers the press. */
  function send(): boolean {
    if (state.kind === 'sending') return false;
    noticeEdit();
    const fields = readFields(element);
    if (isSecondPress(fields)) return false;
    message = { form, fields, key: message?.key ?? createIdempotencyKey(), pressedAt: Date.now() };
    pauseMs = firstPauseMs;
    state = { kind: 'sending' };
    deliver(message);
    return true;
  }

  /** An answer can arrive between the two clicks of a double click: the second then finds the form emptied. */
  function isSecondPress(fields: UnsentMessage['fields']): boolean {
    const isEmptied = state.kind === 'sent' && !Object.values(fields).some(Boolean);
    return isEmptied && Date.now() - sentAt < doublePressMs;
  }

  async function deliver(sent: UnsentMessage): Promise<void> {
    endAttempt();
    const current = new AbortController();
    attempt = current;
    const patience = setTimeout(() => current.abort(), answerMs);
    await untilPainted();
    if (state.kind === 'sending') show(state);
    const result = await sendMessage({ ...sent, trap: readTrap(element), token }, current.signal);
    clearTimeout(patience);
    if (attempt !== current) return;
    attempt = undefined;
    const isEdited = message !== sent;
    if (result.kind === 'offline') return isEdited ? stop('edited') : wait(sent);
    // The form is gone and cannot show a refusal: the message is kept, and refused again when the form is back.
    if (result.kind === 'refused' && !isOpen) return;
    forgetUnsent(sent);
    if (result.kind === 'sent') {
      if (!isEdited) element.reset();
      message = undefined;
      sentAt = Date.now();
    }
    enter(result);
  }

  function wait(unsent: UnsentMessage): void {
    // A form that was left has kept it; another form may have been told since not to send it.
    if (!isOpen) return;
    saveUnsent(unsent);
    enter(unanswered);
    if (!canRetry) return;
    timer = setTimeout(() => {
      if (!document.hidden) sendAgain();
    }, pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }

  function sendAgain(): void {
    if (state.kind !== 'offline' || attempt || !message) return;
    if (isExpired(message)) stop('expired');
    else deliver(message);
  }

  function noticeChance(): void {
    pauseMs = firstPauseMs;
    sendAgain();
  }

  function noticeEdit(): void {
    if (!message || isSame(message.fields, readFields(element))) return;
    forgetUnsent(message);
    message = undefined;
    if (state.kind === 'offline') stop('edited');
  }

  function stop(unsent: 'edited' | 'stopped' | 'expired'): void {
    endAttempt();
    if (message) forgetUnsent(message);
    enter({ kind: 'idle', unsent });
  }

  function endAttempt(): void {
    clearTimeout(timer);
    attempt?.abort();
    attempt = undefined;
  }

  function enter(next: SubmissionState): void {
    state = next;
    show(next);
  }

  /** Restores the message that waits in this tab, but never over what the visitor has typed meanwhile. */
  function takeUp(unsent: UnsentMessage): void {
    fillFields(element, unsent.fields);
    message = unsent;
    enter(unanswered);
    noticeEdit();
    sendAgain();
  }

  /** A native post since then has answered: the waiting message is not sent beside it, only restored if it was refused. */
  function takeBack(unsent: UnsentMessage, answer: string): void {
    forgetUnsent(unsent);
    if (answer !== refusedFragment) return;
    fillFields(element, unsent.fields);
    message = unsent;
    noticeEdit();
  }

  /** A page that is left before there is an answer may never receive it. */
  function keepUnanswered(): void {
    if (attempt && message) saveUnsent(message);
  }

  function attach(attached: HTMLFormElement): () => void {
    element = attached;
    isOpen = true;
    const leaving = new AbortController();
    const { signal } = leaving;
    for (const type of ['input', 'change']) element.addEventListener(type, noticeEdit, { signal });
    for (const type of ['online', 'pageshow']) addEventListener(type, noticeChance, { signal });
    document.addEventListener('visibilitychange', () => document.hidden || noticeChance(), { signal });
    addEventListener('pagehide', keepUnanswered, { signal });
    fetchFormToken(signal).then(asked => {
      token = asked;
    });
    const unsent = readUnsent(form);
    const answer = takeAnswer();
    if (unsent && answer) takeBack(unsent, answer);
    else if (unsent) takeUp(unsent);
    return () => {
      isOpen = false;
      clearTimeout(timer);
      leaving.abort();
      keepUnanswered();
    };
  }

  return { attach, send, stop: () => stop('stopped') };
}

/** The answer to a native post that carried the waiting message. Removed from the address: it is true once. */
function takeAnswer(): string | undefined {
  const { hash, pathname, search } = location;
  if (search !== `?${waitingQuery}`) return undefined;
  history.replaceState(history.state, '', pathname + hash);
  return hash.slice(1);
}

/** A page in the background paints nothing, and is not waited for. */
function untilPainted(): Promise<void> {
  return new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 200);
  });
}

type Fields = Partial<MessageInput>;
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function readFields(form: HTMLFormElement): Fields {
  const data = new FormData(form);
  return Object.fromEntries(messageFields.filter(name => data.has(name)).map(name => [name, data.get(name)]));
}

/** Not part of the message: one that is kept and restored has none. */
function readTrap(form: HTMLFormElement): string {
  return String(new FormData(form).get(honeypotField) ?? '');
}

function fillFields(form: HTMLFormElement, fields: Fields): void {
  for (const [name, field] of findFields(form)) field.value ||= fields[name] ?? '';
}

function isSame(one: Fields, other: Fields): boolean {
  return messageFields.every(name => one[name] === other[name]);
}

function findFields(form: HTMLFormElement): [keyof MessageInput, Field][] {
  return messageFields.flatMap(name => {
    const field = form.elements.namedItem(name);
    return field ? [[name, field as Field]] : [];
  });
}
