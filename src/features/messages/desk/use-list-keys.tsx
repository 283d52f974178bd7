import { type FormEvent, type RefObject, useContext, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Page } from '../../../core/desk/page.ts';
import { deskPath } from '../../../ui/desk/desk-url.ts';
import { fetchDesk } from '../../../ui/desk/fetch-desk.tsx';
import { isPostRefused } from '../../../ui/desk/guard-posts.tsx';
import { LiveContext } from '../../../ui/desk/use-live.tsx';
import type { Keys } from './keys.tsx';
import { rowSelector } from './message-row.tsx';

/** The row with the focus is the selected one: new rows above it do not take the focus. */
export function useListKeys(form: RefObject<HTMLFormElement | null>) {
  const { show } = useContext(LiveContext);
  const lastChange = useRef(Promise.resolve());

  /** The same post as without a script, but the page, its focus and its place stay. */
  function submit(event: FormEvent<HTMLFormElement>): void {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (!(submitter instanceof HTMLButtonElement) || submitter.name !== 'change') return;
    event.preventDefault();
    change(submitter.value);
  }

  /** Acts on the checked messages, or else on the one with the focus, as soon as the change before is done. */
  function change(name: string): void {
    const sender = form.current;
    if (!sender?.querySelector(`button[value=${name}]`)) return;
    const rows = listRows();
    const checked = [...sender.querySelectorAll<HTMLInputElement>('ul :checked')];
    const row = findFocusedRow() ?? checked[0]?.closest<HTMLElement>(rowSelector);
    if (!row) return;
    const fields = new FormData(sender);
    fields.append('change', name);
    if (checked.length === 0) fields.append('reference', row.dataset.message ?? '');
    sender.reset();
    lastChange.current = lastChange.current.then(async () => {
      if (await isPostRefused(show)) {
        for (const box of checked) box.checked = true;
        return;
      }
      const page = await post(sender, fields);
      if (!page) return reload();
      flushSync(() => show(page));
      // The focus of a row or button that is gone; elsewhere the owner has moved it meanwhile.
      const { activeElement } = document;
      if (activeElement === document.body || activeElement?.matches('button'))
        focusNearest(rows, rows.indexOf(row));
    });
  }

  const keys: Keys = {
    j: { text: 'Next message', press: () => moveFocus(1) },
    k: { text: 'Previous message', press: () => moveFocus(-1) },
    Enter: { text: 'Open the message', press: openFocused },
    '/': { text: 'Search', press: () => document.getElementById('search')?.focus() },
    x: { text: 'Select the message', press: () => findFocusedRow()?.querySelector('input')?.click() },
    e: { text: 'Close: nothing more is to be done', press: () => change('close') },
    a: { text: 'Mark as answered', press: () => change('answer') },
    s: { text: 'Move to spam', press: () => change('spam') },
  };
  return { keys, submit };
}

/** An error is a page as well. Undefined where there is no answer. */
async function post(form: HTMLFormElement, fields: FormData): Promise<Page | undefined> {
  try {
    const headers = { accept: 'application/json' };
    const response = await fetchDesk(deskPath(form.getAttribute('action') ?? '') ?? '', {
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
