import { type FormEvent, type RefObject, useContext, useRef } from 'react';
import { flushSync } from 'react-dom';
import { LiveContext } from '../components/use-live.tsx';
import type { Page } from '../pages.ts';
import type { Keys } from './keys.tsx';
import { rowSelector } from './message-row.tsx';

/** The row with the focus is the selected one: new rows above it do not take the focus. */
export function useListKeys(form: RefObject<HTMLFormElement | null>) {
  const show = useContext(LiveContext);
  const isSending = useRef(false);

  /** The same post as without a script, but the page, its focus and its place stay. */
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    const { submitter } = event.nativeEvent as SubmitEvent;
    const sender = event.currentTarget;
    if (!(submitter instanceof HTMLButtonElement) || submitter.name !== 'change') return;
    event.preventDefault();
    if (isSending.current) return;
    isSending.current = true;
    const rows = listRows();
    const chosen = findFocusedRow() ?? sender.querySelector('ul :checked')?.closest<HTMLElement>(rowSelector);
    const page = await post(sender, new FormData(sender, submitter));
    isSending.current = false;
    if (!page) return reload();
    sender.reset();
    flushSync(() => show(page));
    if (chosen) focusNearest(rows, rows.indexOf(chosen));
  }

  /** Acts on the checked messages, or else on the one with the focus. */
  function press(name: string): void {
    if (isSending.current) return;
    const button = form.current?.querySelector<HTMLButtonElement>(`button[value=${name}]`);
    if (!form.current?.querySelector('[name=reference]:checked')) {
      const box = findFocusedRow()?.querySelector<HTMLInputElement>('[name=reference]');
      if (!box) return;
      if (button) box.checked = true;
    }
    if (button) form.current?.requestSubmit(button);
  }

  const keys: Keys = {
    j: { text: 'Next message', press: () => moveFocus(1) },
    k: { text: 'Previous message', press: () => moveFocus(-1) },
    Enter: { text: 'Open the message', press: openFocused },
    '/': { text: 'Search', press: () => document.getElementById('search')?.focus() },
    x: { text: 'Select the message', press: () => findFocusedRow()?.querySelector('input')?.click() },
    e: { text: 'Close: nothing more is to be done', press: () => press('close') },
    a: { text: 'Mark as answered', press: () => press('answer') },
    s: { text: 'Move to spam', press: () => press('spam') },
  };
  return { keys, submit };
}

/** An error is a page as well. Undefined where there is no answer. */
async function post(form: HTMLFormElement, fields: FormData): Promise<Page | undefined> {
  try {
    const headers = { accept: 'application/json' };
    const response = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      body: fields,
      headers,
    });
    const page = (await response.json()) as Page;
    if (response.ok) history.replaceState(null, '', response.url);
    return page;
  } catch {
    return undefined;
  }
}

/** Without the notice of the action before. */
function reload(): void {
  const url = new URL(location.href);
  url.searchParams.delete('done');
  location.replace(url);
}

function listRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(rowSelector)];
}

function findFocusedRow(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>(rowSelector) ?? undefined;
}

function moveFocus(step: 1 | -1): void {
  const rows = listRows();
  const current = findFocusedRow();
  const index = current ? rows.indexOf(current) + step : 0;
  rows[Math.min(Math.max(index, 0), rows.length - 1)]?.querySelector('a')?.focus();
}

function openFocused(): boolean {
  const link = findFocusedRow()?.querySelector('a');
  link?.click();
  return link !== undefined && link !== null;
}

/** After the row was moved elsewhere: the one below it, or else above it. */
function focusNearest(rows: HTMLElement[], index: number): void {
  const candidates = [...rows.slice(index), ...rows.slice(0, index).reverse()];
  const next = candidates.find(row => row.isConnected)?.querySelector('a');
  (next ?? document.getElementById('main'))?.focus();
}
