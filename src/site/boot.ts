import type { unsentField } from '../api/contract.ts';
import {
  type ChunkManifest,
  chunkError,
  chunkManifestId,
  chunkTimeoutMs,
  createChunkLoader,
} from './chunks.ts';
import type { unsentPrefix } from './forms/unsent-message.ts';
import type * as Main from './main.tsx';
import { dataset, restoreMotionPause, startMotion, withSessionStorage } from './motion.ts';

/**
 * The only script a page loads. At the first sign of interaction it fetches React and hands the page over; until then,
 * and if that fails, native controls work.
 */
const table: ChunkManifest = JSON.parse(document.getElementById(chunkManifestId)?.textContent ?? '{}');
const needed = Object.keys(table);
const loadChunk = createChunkLoader(table);
const signs = ['pointermove', 'pointerdown', 'click', 'keydown', 'focusin', 'scroll'];
const early = new Set<HTMLElement>();

let isUnderWay = false;
let isHandedOver = false;
let pauseMs = 1000;
/** A press ends in a click, which is awaited for half a second; a scroll needs no answer at once. */
let heldUntil = 0;

// After a reload, Back may lead to a page that React had shown in this document: until React runs, only the host has it.
const place = () => location.pathname + location.search;
const loaded = place();
addEventListener('popstate', () => {
  if (dataset.script !== 'react' && place() !== loaded) location.reload();
});

async function handOver(): Promise<void> {
  if (isUnderWay) return;
  isUnderWay = true;
  try {
    await untilQuiet();
    // Fetched before the import: a browser may remember a failed import of a shared chunk for ever.
    await Promise.all(needed.map(fetchAhead));
    await untilQuiet();
    const main = (await loadChunk('main')) as typeof Main;
    await main.start({ loadChunk, table, untilQuiet, beforeHydration, afterHydration });
    for (const sign of [...signs, 'online']) removeEventListener(sign, noticeSign, true);
    seen.disconnect();
  } catch (error) {
    // The page works without React, so a network failure is not reported: the next sign after the pause tries again.
    if ((error as Error).name !== 'ChunkError') reportError(error);
    setTimeout(() => {
      isUnderWay = isHandedOver;
    }, pauseMs);
    pauseMs = Math.min(pauseMs * 2, 60_000);
  }
}

/** The visitor's action is painted first. A hidden page paints no frame. */
function untilPainted(): Promise<void> {
  return new Promise(painted => {
    requestAnimationFrame(() => setTimeout(painted));
    setTimeout(painted, 1000);
  });
}

async function untilQuiet(): Promise<void> {
  do await untilPainted();
  while (performance.now() < heldUntil);
}

async function fetchAhead(name: string): Promise<void> {
  const address = table[name] as string;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(chunkTimeoutMs) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    await response.arrayBuffer();
  } catch (cause) {
    throw chunkError(name, cause);
  }
}

function beforeHydration(): void {
  isHandedOver = true;
}

function afterHydration(): void {
  dataset.script = 'react';
  for (const control of early) control.click();
}

/** Browsers dispatch a pointermove without movement when a page appears under a pointer at rest. */
function noticeSign(event: Event): void {
  const { type, movementX, movementY } = event as PointerEvent;
  if (type === 'pointerdown') heldUntil = performance.now() + 500;
  else if (type === 'scroll' && !isUnderWay) heldUntil = performance.now() + 200;
  if (type !== 'pointermove' || movementX || movementY) handOver();
}

/** A control that needs React remembers a click that came too early; React itself replays later ones. */
function rememberClick(event: Event): void {
  const control = (event.target as Element).closest<HTMLElement>('[data-replay]');
  if (control && !isHandedOver) early.add(control);
  heldUntil = 0;
}

/** Keyboard focus that leaves the open menu must not stay behind its backdrop. */
function closeMenu({ target }: Event): void {
  if (!(target as Element).closest('[popover], [popovertarget]'))
    document.querySelector<HTMLElement>('[popover]')?.hidePopover?.();
}

function readUnsent(form: HTMLFormElement): string | null | undefined {
  const prefix: typeof unsentPrefix = 'unsent-message:';
  // Not `form.name`: a field of that name takes its place.
  return withSessionStorage(storage => storage.getItem(prefix + form.getAttribute('name')));
}

/** A native post has no idempotency key: the waiting message goes with it, so that the server recognises a duplicate. */
function attachUnsent({ target }: Event): void {
  const form = target as HTMLFormElement;
  const field = form.elements.namedItem('unsent' satisfies typeof unsentField) as HTMLInputElement | null;
  if (field) field.value = readUnsent(form) ?? '';
}

/** A static site has no server to post to: React submits what was sent too early, unless it was edited since. */
function holdSubmit(event: SubmitEvent): void {
  const { method } = event.target as HTMLFormElement;
  if (method !== 'dialog' || event.defaultPrevented || !event.submitter) return;
  event.preventDefault();
  early.add(event.submitter);
  handOver();
}

function forgetSubmit({ target }: Event): void {
  for (const button of early) if ((target as HTMLInputElement).form?.contains(button)) early.delete(button);
}

const seen = new IntersectionObserver(
  entries => {
    if (entries.some(entry => entry.isIntersecting)) handOver();
  },
  { rootMargin: '200px' },
);

function listen(): void {
  for (const sign of signs) addEventListener(sign, noticeSign, { capture: true, passive: true });
  addEventListener('click', rememberClick, true);
  addEventListener('focusin', closeMenu);
  addEventListener('submit', attachUnsent);
  addEventListener('submit', holdSubmit);
  addEventListener('input', forgetSubmit);
}

function start(): void {
  dataset.script ??= 'boot';
  if ([...document.forms].some(readUnsent)) {
    addEventListener('online', noticeSign, true);
    handOver();
  }
  for (const part of document.querySelectorAll('[data-needs-react]')) seen.observe(part);
  startMotion();
}

function startWhenIdle(): void {
  restoreMotionPause();
  listen();
  if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 1000 });
  else setTimeout(start);
}

// A browser may prerender a page for a click that never comes.
if ((document as Document & { prerendering?: boolean }).prerendering)
  document.addEventListener('prerenderingchange', startWhenIdle, { once: true });
else startWhenIdle();
