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
      if (!isIntersecting && boundingClientRect.top >= innerHeight) holdBack(target);
      else bringIn(target);
    }
  },
  { rootMargin: '0px 0px -10% 0px' },
);
const artSeen = new IntersectionObserver(entries => {
  for (const { isIntersecting, target } of entries) target.toggleAttribute('data-off', !isIntersecting);
});

export function startMotion(): void {
  if (inStorage(storage => storage.getItem(storageKey))) pause(true);
  addEventListener('click', event => {
    if (!(event.target as Element).closest('[data-pause]')) return;
    const isPaused = dataset.motion !== 'paused';
    pause(isPaused);
    inStorage(storage => (isPaused ? storage.setItem(storageKey, 'paused') : storage.removeItem(storageKey)));
  });
  const main = document.querySelector('main');
  if (main) new MutationObserver(watch).observe(main, { childList: true });
  watch();
}

/** What the page holds now; called again when a navigation has put another page into it. */
function watch(): void {
  const isStill = dataset.motion === 'paused' || matchMedia('(prefers-reduced-motion: reduce)').matches;
  // Where a group stands, the observer tells without asking for a layout of its own, which would hold up the first one.
  if (!isStill) for (const group of document.querySelectorAll('.enter')) groupsSeen.observe(group);
  for (const art of document.querySelectorAll('.art')) artSeen.observe(art);
}

function holdBack(group: Element): void {
  Array.from(group.children, (child, index) =>
    child
      .animate(
        { opacity: [0, 1], transform: ['translateY(24px)', 'none'] },
        {
          duration: 1200,
          delay: Math.min(index * 50, 150),
          easing: 'cubic-bezier(0.16, 1, 0.3, 1)',
          fill: 'backwards',
        },
      )
      .pause(),
  );
}

/** What was in view from the start, or was left behind above it, has come in by its style sheet. */
function bringIn(group: Element): void {
  groupsSeen.unobserve(group);
  for (const child of group.children)
    for (const entrance of child.getAnimations()) if (isScripted(entrance)) entrance.play();
}

/** Entrances are the only animations that are made by a script. */
function isScripted(animation: Animation): boolean {
  return animation.constructor === Animation;
}

function pause(isPaused: boolean): void {
  dataset.motion = isPaused ? 'paused' : '';
  for (const button of document.querySelectorAll('[data-pause]'))
    button.setAttribute('aria-pressed', String(isPaused));
  // What waits is shown.
  for (const animation of document.getAnimations()) if (isPaused && isScripted(animation)) animation.cancel();
  dispatchEvent(new Event('motionchange' satisfies MotionChange));
}
