export type MotionChange = 'motionchange';

const storageKey = 'motion';
export const { dataset } = document.documentElement;

const inView = new Set<Element>();
const viewObserver = new IntersectionObserver(entries => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) inView.add(target);
    else inView.delete(target);
  }
  loopFirst();
});

export function restoreMotionPause(): void {
  if (withSessionStorage(storage => storage.getItem(storageKey))) pause(true);
}

export function startMotion(): void {
  addEventListener('click', event => {
    if (!(event.target as Element).closest('[data-pause]')) return;
    const isPaused = dataset.motion !== 'paused';
    pause(isPaused);
    withSessionStorage(storage =>
      isPaused ? storage.setItem(storageKey, 'paused') : storage.removeItem(storageKey),
    );
  });
  if (document.readyState === 'complete') loopLater();
  else addEventListener('load', loopLater);
}

const entranceMs = 1200;

function loopLater(): void {
  setTimeout(watchIllustrations, entranceMs);
}

/** React replaces the children of `main` when it shows another page. */
function watchIllustrations(): void {
  // Not while the page loads: matchMedia makes the browser lay the page out at once.
  if (!matchMedia('(hover: hover) and (prefers-reduced-motion: no-preference)').matches) return;
  const main = document.querySelector('main') as Element;
  function watch(): void {
    inView.clear();
    viewObserver.disconnect();
    for (const illustration of main.querySelectorAll('.illustration')) viewObserver.observe(illustration);
  }
  new MutationObserver(watch).observe(main, { childList: true });
  watch();
}

function loopFirst(): void {
  const [first] = dataset.motion === 'paused' ? [] : inView;
  for (const illustration of document.querySelectorAll('.illustration'))
    illustration.toggleAttribute('data-loop', illustration === first);
}

function pause(isPaused: boolean): void {
  dataset.motion = isPaused ? 'paused' : '';
  for (const button of document.querySelectorAll('[data-pause]'))
    button.setAttribute('aria-pressed', String(isPaused));
  loopFirst();
  dispatchEvent(new Event('motionchange' satisfies MotionChange));
}

export function withSessionStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
