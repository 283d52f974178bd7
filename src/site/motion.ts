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
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      groupsSeen.unobserve(target);
      for (const child of target.children) for (const entrance of child.getAnimations()) entrance.play();
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
  // What is in view, or was left behind above it, has come in by its style sheet.
  for (const group of document.querySelectorAll('.enter'))
    if (!isStill && group.getBoundingClientRect().top >= innerHeight) holdBack(group);
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
  groupsSeen.observe(group);
}

function pause(isPaused: boolean): void {
  dataset.motion = isPaused ? 'paused' : '';
  for (const button of document.querySelectorAll('[data-pause]'))
    button.setAttribute('aria-pressed', String(isPaused));
  // Entrances are the only animations that are made by a script: what waits is shown.
  for (const animation of document.getAnimations())
    if (isPaused && animation.constructor === Animation) animation.cancel();
  dispatchEvent(new Event('motionchange' satisfies MotionChange));
}
