import { type FormName, refusedFragment, waitingQuery } from '../api/contract.ts';
import { afterFrame } from './after-frame.ts';
import { count } from './count.ts';
import { askToken } from './form-token.ts';
import { fillFields, isSame, readFields, readTrap } from './message-fields.ts';
import { createKey, type SendResult, sendMessage } from './send-message.ts';
import { sendToSheet } from './send-to-service.ts';
import { forgetUnsent, isTooOld, keepUnsent, readUnsent, type UnsentMessage } from './unsent-message.ts';

/** `offline` is a message that is sent again by itself, `unsent` why one is not any more. */
export type SendingState =
  | { kind: 'idle'; unsent?: 'edited' | 'stopped' | 'expired' | 'failed' }
  | { kind: 'sending' }
  | SendResult;

/** A sheet service has no keys and adds a row for each post: only the visitor may have one sent again. */
const mayRepeat = !import.meta.env.IS_STATIC;
const doublePressMs = 1000;
const answerMs = 30_000;
const unanswered: SendingState = mayRepeat ? { kind: 'offline' } : { kind: 'idle', unsent: 'failed' };
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

/**
 * Sends what a form holds, and sends it again with the same key until there is an answer: what is sent by itself is
 * always what the visitor sees in the form. `show` is told every change of state.
 */
export function createSending(form: FormName, show: (state: SendingState) => void) {
  let state: SendingState = { kind: 'idle' };
  let element: HTMLFormElement;
  /** The last one sent, for as long as the form holds just that: an edit, like success, ends it and its key. */
  let message: UnsentMessage | undefined;
  let attempt: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  let isOpen = false;
  let sentAt = 0;
  let token: string | undefined;

  /** Whether there is anything to send. It is on its way, and told, after the frame that answers the press. */
  function send(): boolean {
    if (state.kind === 'sending') return false;
    noticeEdit();
    const fields = readFields(element);
    if (isSecondPress(fields)) return false;
    message = { form, fields, key: message?.key ?? createKey(), pressedAt: Date.now() };
    pauseMs = firstPauseMs;
    state = { kind: 'sending' };
    deliver(message);
    return true;
  }

  /** An answer can come between the two halves of a double click: the second then finds the form emptied. */
  function isSecondPress(fields: UnsentMessage['fields']): boolean {
    const isEmptied = state.kind === 'sent' && !Object.values(fields).some(Boolean);
    return isEmptied && Date.now() - sentAt < doublePressMs;
  }

  async function deliver(sent: UnsentMessage): Promise<void> {
    endAttempt();
    const current = new AbortController();
    attempt = current;
    const patience = setTimeout(() => current.abort(), answerMs);
    await new Promise<void>(afterFrame);
    if (state.kind === 'sending') show(state);
    const result = await (mayRepeat
      ? sendMessage({ ...sent, trap: readTrap(element), token }, current.signal)
      : sendToSheet(sent.fields, current.signal));
    clearTimeout(patience);
    if (attempt !== current) return;
    attempt = undefined;
    const isEdited = message !== sent;
    if (result.kind === 'offline') return isEdited ? stop('edited') : wait(sent);
    // Nobody is there to see a refusal: it is kept, and met again when its form is.
    if (result.kind === 'refused' && !isOpen) return;
    forgetUnsent(sent);
    if (result.kind === 'sent') {
      if (!isEdited) element.reset();
      message = undefined;
      sentAt = Date.now();
      count('message');
    }
    enter(result);
  }

  function wait(unsent: UnsentMessage): void {
    // A form that was left has kept it then; another one may have been told since not to send it.
    if (!isOpen) return;
    keepUnsent(unsent);
    enter(unanswered);
    if (!mayRepeat) return;
    timer = setTimeout(() => {
      if (!document.hidden) sendAgain();
    }, pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }

  function sendAgain(): void {
    if (state.kind !== 'offline' || attempt || !message) return;
    if (isTooOld(message)) stop('expired');
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

  function enter(next: SendingState): void {
    state = next;
    show(next);
  }

  /** What waits in this tab comes back into its form, but never over what the visitor has typed meanwhile. */
  function takeUp(unsent: UnsentMessage): void {
    fillFields(element, unsent.fields);
    message = unsent;
    enter(unanswered);
    noticeEdit();
    sendAgain();
  }

  /** A form posted natively since then spoke for itself: what waited is not sent beside it, only shown if it was refused. */
  function takeBack(unsent: UnsentMessage, answer: string): void {
    forgetUnsent(unsent);
    if (answer !== refusedFragment) return;
    fillFields(element, unsent.fields);
    message = unsent;
    noticeEdit();
  }

  /** A page that is left before there is an answer may never hear of it. */
  function keepUnanswered(): void {
    if (attempt && message) keepUnsent(message);
  }

  /** For the form's `ref`: begins with the element and ends with it. */
  function attach(attached: HTMLFormElement): () => void {
    element = attached;
    isOpen = true;
    const leaving = new AbortController();
    const { signal } = leaving;
    for (const type of ['input', 'change']) element.addEventListener(type, noticeEdit, { signal });
    for (const type of ['online', 'pageshow']) addEventListener(type, noticeChance, { signal });
    document.addEventListener('visibilitychange', () => document.hidden || noticeChance(), { signal });
    addEventListener('pagehide', keepUnanswered, { signal });
    if (mayRepeat)
      askToken(signal).then(asked => {
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

/** How a native post was answered that brought the waiting message along. Taken out of the address: it is true once. */
function takeAnswer(): string | undefined {
  const { hash, pathname, search } = location;
  if (search !== `?${waitingQuery}`) return undefined;
  history.replaceState(history.state, '', pathname + hash);
  return hash.slice(1);
}
