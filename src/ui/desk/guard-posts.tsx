import { flushSync } from 'react-dom';
import { deskUrl } from './desk-url.ts';
import { fetchDesk } from './fetch-desk.tsx';
import { restarted } from './restarted.ts';
import type { ShowPage } from './use-live.tsx';

/**
 * A form waits until the desk confirms the session: what was typed is lost if it is posted without one.
 * Until the page is replaced, a second submit of the same form is ignored.
 */
export function guardPosts(show: ShowPage): () => void {
  const underWay = new Set<HTMLFormElement>();
  let passing: HTMLFormElement | undefined;
  let isSent = false;

  // Before the handlers of the form: they run once it is sent.
  function intercept(event: SubmitEvent): void {
    const form = event.target as HTMLFormElement;
    const method = event.submitter?.getAttribute('formmethod') ?? form.getAttribute('method');
    if (method !== 'post' || form === passing) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (underWay.has(form)) return;
    underWay.add(form);
    void send(form, event.submitter);
  }

  async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    const isRefused = await isPostRefused(show);
    isSent = false;
    // A live page may have removed the button meanwhile.
    if (!isRefused && form.isConnected && (!submitter || form.contains(submitter))) {
      passing = form;
      form.requestSubmit(submitter);
      passing = undefined;
    }
    if (!isSent || form.hasAttribute('data-download')) underWay.delete(form);
  }

  function settle({ defaultPrevented }: SubmitEvent): void {
    isSent = !defaultPrevented;
  }

  /** Asked whether to leave unsaved text, the owner may stay. */
  function release(event: BeforeUnloadEvent): void {
    setTimeout(() => event.defaultPrevented && underWay.clear());
  }

  const clear = () => underWay.clear();
  const removed = new AbortController();
  const { signal } = removed;
  window.addEventListener('submit', intercept, { capture: true, signal });
  window.addEventListener('submit', settle, { signal });
  window.addEventListener('beforeunload', release, { signal });
  window.addEventListener('pageshow', clear, { signal });
  return () => removed.abort();
}

/** Says on the page why nothing can be posted now: the notice may be far above the button. */
export async function isPostRefused(show: ShowPage): Promise<boolean> {
  const before = deskUrl('/');
  const text = await findRefusal();
  // The desk was restarted: forms and links of this page now belong to the new one.
  if (deskUrl('/') !== before) flushSync(() => show(present => ({ ...present })));
  if (text === undefined) return false;
  flushSync(() => show(present => ({ ...present, notice: { kind: 'failed', text } })));
  document.querySelector('main > [role=alert]')?.scrollIntoView({ block: 'center' });
  return true;
}

async function findRefusal(): Promise<string | undefined> {
  try {
    const { ok, status } = await fetchDesk('/session');
    if (ok) return undefined;
    return status === 401 ? restarted : `The desk answered with an error (${status}). Try again.`;
  } catch {
    return 'The desk does not answer. Start it again, then go on here: what you typed is kept.';
  }
}
