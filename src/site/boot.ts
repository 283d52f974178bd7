import { type ChunkTable, chunkTableId, createLoader } from './chunks.ts';
import type * as Main from './main.tsx';

/**
 * The only script a page loads. It waits for the first sign that a visitor needs more than the HTML gives, then
 * fetches React and hands the page over. Until then, and if that fails, everything native goes on working.
 */
const table: ChunkTable = JSON.parse(document.getElementById(chunkTableId)?.textContent ?? '{}');
const loadChunk = createLoader(table);
const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'scroll'];
const early = new Set<HTMLElement>();

let waiting = true;
let handedOver = false;

async function handOver(): Promise<void> {
  if (!waiting) return;
  waiting = false;
  try {
    for (const name of ['runtime', 'shared', document.body.dataset.page ?? '']) preload(table[name]);
    const main = (await loadChunk('main')) as typeof Main;
    await main.start({
      loadChunk,
      beforeHydration() {
        handedOver = true;
      },
      afterHydration() {
        document.documentElement.dataset.script = 'react';
        for (const control of early) control.click();
        early.clear();
      },
    });
    for (const sign of signs) removeEventListener(sign, noticeSign, true);
    seen.disconnect();
  } catch {
    // The page is whole without React, so there is nothing to tell: the next sign tries again.
    waiting = true;
  }
}

/** Browsers make up a pointermove when a page appears under a pointer at rest: nobody has pointed at anything yet. */
function noticeSign(event: Event): void {
  const { type, movementX, movementY } = event as PointerEvent;
  if (type !== 'pointermove' || movementX !== 0 || movementY !== 0) handOver();
}

function preload(href: string | undefined): void {
  if (!href) return;
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = href;
  document.head.append(link);
}

/** A control that only React can work remembers a click that came too early; React itself replays later ones. */
function rememberClick(event: Event): void {
  const control = (event.target as Element).closest<HTMLElement>('[data-replay]');
  if (control && !handedOver) early.add(control);
}

const seen = new IntersectionObserver(
  entries => {
    if (entries.some(entry => entry.isIntersecting)) handOver();
  },
  { rootMargin: '200px' },
);

document.documentElement.dataset.script = 'boot';
for (const sign of signs) addEventListener(sign, noticeSign, { capture: true, passive: true });
addEventListener('click', rememberClick, true);
for (const part of document.querySelectorAll('[data-needs-react]')) seen.observe(part);
