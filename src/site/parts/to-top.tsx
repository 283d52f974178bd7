import site from 'content:site';
import { type MouseEvent, useSyncExternalStore } from 'react';
import { isStill } from '../stillness.ts';

const durationMs = 500;

/**
 * A plain link in the footer; with JavaScript it floats beside the page once the first screen has been left, scrolls
 * there in half a second and leaves the address alone. Its place in the footer stays, so that nothing moves up.
 */
export function ToTop() {
  const isFarDown = useSyncExternalStore(onScroll, isPastFirstScreen, () => false);
  return (
    <div className="shown-last flex min-h-12 min-w-44 lg:justify-end">
      <a
        className="shown-whole to-top"
        data-shown={isFarDown ? '' : undefined}
        href="#top"
        onClick={scrollToTop}
      >
        <span className="to-top-words">{site.footer.toTop}</span>
        <svg aria-hidden="true" className="shown-last size-5" fill="none" viewBox="0 0 20 20">
          <path
            d="M10 16V4m-5 5 5-5 5 5"
            stroke="currentColor"
            strokeLinecap="round"
            strokeLinejoin="round"
            strokeWidth="2"
          />
        </svg>
      </a>
    </div>
  );
}

function onScroll(listener: () => void): () => void {
  addEventListener('scroll', listener, { passive: true });
  addEventListener('resize', listener);
  return () => {
    removeEventListener('scroll', listener);
    removeEventListener('resize', listener);
  };
}

function isPastFirstScreen(): boolean {
  return scrollY > innerHeight;
}

function scrollToTop(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('top')?.focus({ preventScroll: true });
  if (isStill()) {
    scrollTo(0, 0);
    return;
  }
  const from = scrollY;
  const started = performance.now();
  // A visitor who moves the page meanwhile has changed their mind.
  const change = new AbortController();
  for (const type of ['wheel', 'touchstart', 'keydown'])
    addEventListener(type, () => change.abort(), { signal: change.signal, passive: true });
  requestAnimationFrame(function step(now) {
    if (change.signal.aborted) return;
    const share = Math.min(Math.max((now - started) / durationMs, 0), 1);
    scrollTo(0, from * (1 - share) ** 3);
    if (share < 1) requestAnimationFrame(step);
    else change.abort();
  });
}
