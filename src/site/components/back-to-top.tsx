import site from 'content:site';
import { type MouseEvent, useSyncExternalStore } from 'react';
import { prefersReducedMotion } from '../reduced-motion.ts';
import { Icon } from './icon.tsx';

const durationMs = 500;

/**
 * With JavaScript it floats beside the page after the first screen. Its place in the footer stays, so that nothing
 * shifts.
 */
export function BackToTop() {
  const isFarDown = useSyncExternalStore(onScroll, isPastFirstScreen, () => false);
  return (
    <div className="flex min-h-12 min-w-44 lg:justify-end">
      <a className="back-to-top" data-shown={isFarDown ? '' : undefined} href="#top" onClick={scrollToTop}>
        <span className="back-to-top-text">{site.footer.toTop}</span>
        <Icon d="M10 16V4m-5 5 5-5 5 5" />
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
  if (prefersReducedMotion()) {
    scrollTo(0, 0);
    return;
  }
  const from = scrollY;
  const started = performance.now();
  // A visitor who scrolls meanwhile has changed their mind.
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
