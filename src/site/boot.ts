import type { unsentField } from '../api/contract.ts';
import { inStorage } from './boot-storage.ts';
import { type ChunkTable, chunkError, chunkTableId, chunkTimeoutMs, createLoader } from './chunks.ts';
import { startCounting } from './counting.ts';
import type * as Main from './main.tsx';
import { dataset, startMotion } from './motion.ts';
import type { unsentPrefix } from './unsent-message.ts';

/**
 * The only script a page loads. It waits for the first sign that a visitor needs more than the HTML gives, then
 * fetches React and hands the page over. Until then, and if that fails, everything native goes on working.
 */
const table: ChunkTable = JSON.parse(document.getElementById(chunkTableId)?.textContent ?? '{}');
const needed = Object.keys(table);
const loadChunk = createLoader(table);
const signs = ['pointermove', 'pointerdown', 'click', 'keydown', 'focusin', 'scroll'];
const early = new Set<HTMLElement>();

let isUnderWay = false;
let isHandedOver = false;
let pauseMs = 1000;
/** A press ends in a click, which is waited for half a second; who scrolls needs nothing at once. */
let heldUntil = 0;

// After a reload Back may lead to a page that changed within this document: until React is here, only a host has it.
const place = () => location.pathname + location.search;
const loaded = place();
addEventListener('popstate', () => {
  if (dataset.script === 'boot' && place() !== loaded) location.reload();
});

async function handOver(): Promise<void> {
  if (isUnderWay) return;
  isUnderWay = true;
  try {
    await untilQuiet();
    // Fetched before they are imported: a browser may remember a failed import of a shared chunk for ever.
    await Promise.all(needed.map(fetchAhead));
    await untilQuiet();
    const main = (await loadChunk('main')) as typeof Main;
    await main.start({ loadChunk, table, untilQuiet, beforeHydration, afterHydration });
    for (const sign of signs) removeEventListener(sign, noticeSign, true);
    seen.disconnect();
  } catch (error) {
    // The page is whole without React, so a network that failed is no news: a sign after the pause tries again.
    if ((error as Error).name !== 'ChunkError') reportError(error);
    setTimeout(() => {
      isUnderWay = isHandedOver;
    }, pauseMs);
    pauseMs = Math.min(pauseMs * 2, 60_000);
  }
}

/** What a visitor does is answered first, on the screen. A page that nobody sees paints no frame. */
function untilPainted(): Promise<void> {
  return new Promise(painted => {
    requestAnimationFrame(() => setTimeout(painted));
    setTimeout(painted, 1000);
  });
}

/** Nor does a press wait on its way from the first touch to its click, not even for what only arrives. */
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

/** From here on a click is React's own to handle. */
function beforeHydration(): void {
  isHandedOver = true;
}

function afterHydration(): void {
  dataset.script = 'react';
  for (const control of early) control.click();
}

/** Browsers make up a pointermove when a page appears under a pointer at rest: nobody has pointed at anything yet. */
function noticeSign(event: Event): void {
  const { type, movementX, movementY } = event as PointerEvent;
  if (type === 'pointerdown') heldUntil = performance.now() + 500;
  else if (type === 'scroll' && !isUnderWay) heldUntil = performance.now() + 200;
  if (type !== 'pointermove' || movementX || movementY) handOver();
}

/** A control that only React can work remembers a click that came too early; React itself replays later ones. */
function rememberClick(event: Event): void {
  const control = (event.target as Element).closest<HTMLElement>('[data-replay]');
  if (control && !isHandedOver) early.add(control);
  heldUntil = 0;
}

/** Who walks out of the open menu by keyboard is not left behind its backdrop. */
function closeMenu({ target }: Event): void {
  if (!(target as Element).closest('[popover], [popovertarget]'))
    document.querySelector<HTMLElement>('[popover]')?.hidePopover?.();
}

/** The message that has not left, as it waits for this form. */
function readUnsent(form: HTMLFormElement): string | null | undefined {
  const prefix: typeof unsentPrefix = 'unsent-message:';
  // Not `form.name`: a field of that name stands in its place.
  return inStorage(storage => storage.getItem(prefix + form.getAttribute('name')));
}

/** A native post has no key: the waiting message goes with it, so that the server knows one that it has. */
function attachUnsent({ target }: Event): void {
  const form = target as HTMLFormElement;
  const field = form.elements.namedItem('unsent' satisfies typeof unsentField) as HTMLInputElement | null;
  if (field) field.value = readUnsent(form) ?? '';
}

/** A static site has no server to post to: what is sent too early, and not written on, is sent by React. */
function holdSubmit(event: SubmitEvent): void {
  if (event.defaultPrevented || !event.submitter) return;
  event.preventDefault();
  early.add(event.submitter);
  handOver();
}

const seen = new IntersectionObserver(
  entries => {
    if (entries.some(entry => entry.isIntersecting)) handOver();
  },
  { rootMargin: '200px' },
);

function start(): void {
  dataset.script = 'boot';
  if ([...document.forms].some(readUnsent)) {
    signs.push('online');
    handOver();
  }
  for (const sign of signs) addEventListener(sign, noticeSign, { capture: true, passive: true });
  addEventListener('click', rememberClick, true);
  addEventListener('focusin', closeMenu);
  if (import.meta.env.IS_STATIC) {
    addEventListener('submit', holdSubmit);
    addEventListener('input', () => early.clear());
  } else addEventListener('submit', attachUnsent);
  for (const part of document.querySelectorAll('[data-needs-react]')) seen.observe(part);
  startMotion();
}

// A browser may prepare a page ahead of a click that never comes: until it is shown, nobody has come.
if ((document as Document & { prerendering?: boolean }).prerendering)
  document.addEventListener('prerenderingchange', start, { once: true });
else start();
if (import.meta.env.COUNTS_VIEWS) startCounting();
