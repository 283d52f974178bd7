export type MotionChange = 'motionchange';

const storageKey = 'motion';
export const { dataset } = document.documentElement;

const inView = new Set<Element>();
const viewObserver = new IntersectionObserver(entries => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) inView.add(target);
    else inView.delete(target);
  }
  animateFirstInView();
});

export function restoreMotionPause(): void {
  if (withSessionStorage(storage => storage.getItem(storageKey))) setMotionPaused(true);
}

export function startMotion(): void {
  addEventListener('click', event => {
    if (!(event.target as Element).closest('[data-pause]')) return;
    const isPaused = dataset.motion !== 'paused';
    setMotionPaused(isPaused);
    withSessionStorage(storage =>
      isPaused ? storage.setItem(storageKey, 'paused') : storage.removeItem(storageKey),
    );
  });
  if (document.readyState === 'complete') animateAfterEntrance();
  else addEventListener('load', animateAfterEntrance);
}

const entranceMs = 1200;

function animateAfterEntrance(): void {
  setTimeout(watchIllustrations, entranceMs);
}

function watchIllustrations(): void {
  // Not while the page loads: matchMedia forces a layout.
  if (!matchMedia('(hover: hover) and (prefers-reduced-motion: no-preference)').matches) return;
  const main = document.querySelector('main') as Element;
  function observeAll(): void {
    inView.clear();
    viewObserver.disconnect();
    for (const illustration of main.querySelectorAll('.illustration')) viewObserver.observe(illustration);
  }
  new MutationObserver(observeAll).observe(main, { childList: true });
  observeAll();
}

function animateFirstInView(): void {
  const [first] = dataset.motion === 'paused' ? [] : inView;
  for (const illustration of document.querySelectorAll('.illustration'))
    illustration.toggleAttribute('data-loop', illustration === first);
}

function setMotionPaused(isPaused: boolean): void {
  dataset.motion = isPaused ? 'paused' : '';
  for (const button of document.querySelectorAll('[data-pause]'))
    button.setAttribute('aria-pressed', String(isPaused));
  animateFirstInView();
  dispatchEvent(new Event('motionchange' satisfies MotionChange));
}

export function withSessionStorage<T>(access: (storage: Storage) => T): T | undefined {
  try {
    return access(sessionStorage);
  } catch {
    return undefined;
  }
}
