import { inStorage } from './boot-storage.ts';

/**
 * Part of the boot script. Sections below the fold wait for the visitor and then come in, pictures rest while they are
 * out of sight, and one button stops all of it for the visit. Everything here works on finished HTML, so that nothing
 * is hidden where this script does not run.
 */
export type MotionChange = 'motionchange';

const storageKey = 'motion';
export const { dataset } = document.documentElement;

const groupsSeen = new IntersectionObserver(
  entries => {
    for (const { isIntersecting, boundingClientRect, target } of entries) {
      // What is not laid out yet is nowhere: it is watched anew when it has been.
      if (!boundingClientRect.width) continue;
      const isBelow = !isIntersecting && boundingClientRect.top >= innerHeight;
      if (isBelow) target.setAttribute('data-held', 'back');
      else bringIn(target);
    }
  },
  { rootMargin: '0px 0px -10%' },
);
const artSeen = new IntersectionObserver(entries => {
  for (const { isIntersecting, target } of entries) target.toggleAttribute('data-off', !isIntersecting);
});

// How far down a page was read is found again only among true heights.
const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
if (arrival?.type === 'navigate') addEventListener('load', layOutRest);
else for (const part of document.querySelectorAll('[data-far]')) part.removeAttribute('data-far');

export function startMotion(): void {
  if (inStorage(storage => storage.getItem(storageKey))) pause(true);
  addEventListener('click', event => {
    if (!(event.target as Element).closest('[data-pause]')) return;
    const isPaused = dataset.motion !== 'paused';
    pause(isPaused);
    inStorage(storage => (isPaused ? storage.setItem(storageKey, 'paused') : storage.removeItem(storageKey)));
  });
  const main = document.querySelector('main') as Element;
  new MutationObserver(() => watch(main)).observe(main, { childList: true });
  watch(main);
}

function bringIn(group: Element): void {
  groupsSeen.unobserve(group);
  // What never was held back has come in by its style sheet.
  if (group.hasAttribute('data-held')) group.setAttribute('data-held', 'over');
}

/** What the page holds now; called again when a navigation has put another page into it, and when more is laid out. */
function watch(part: ParentNode): void {
  const isStill = dataset.motion === 'paused' || matchMedia('(prefers-reduced-motion: reduce)').matches;
  // Where a group stands, the observer tells without asking for a layout of its own, which would hold up the first one.
  for (const group of part.querySelectorAll('.enter')) {
    // Only what was not observed is looked at once more.
    groupsSeen.unobserve(group);
    if (!isStill) groupsSeen.observe(group);
  }
  for (const art of part.querySelectorAll('.art')) artSeen.observe(art);
}

/** One part at a time, so that no frame waits for all of it. */
function layOutRest(): void {
  const part = document.querySelector('[data-far]');
  if (!part) return;
  part.removeAttribute('data-far');
  watch(part);
  setTimeout(layOutRest, 50);
}

function pause(isPaused: boolean): void {
  dataset.motion = isPaused ? 'paused' : '';
  for (const button of document.querySelectorAll('[data-pause]'))
    button.setAttribute('aria-pressed', String(isPaused));
  dispatchEvent(new Event('motionchange' satisfies MotionChange));
}
