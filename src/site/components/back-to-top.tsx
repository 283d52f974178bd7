import site from 'content:site';
import { type MouseEvent, useSyncExternalStore } from 'react';
import { prefersReducedMotion } from '../reduced-motion.ts';
import { Icon } from './icon.tsx';

const durationMs = 500;

/** With React it floats after the first screen. Its box in the footer stays, so that nothing shifts. */
export function BackToTop() {
  const isVisible = useSyncExternalStore(subscribeToScroll, isPastFirstScreen, () => false);
  return (
    <div className="flex min-h-12 min-w-44 lg:justify-end">
      <a className="back-to-top" data-shown={isVisible ? '' : undefined} href="#top" onClick={scrollToTop}>
        <span className="back-to-top-text">{site.footer.toTop}</span>
        <Icon d="M10 16V4m-5 5 5-5 5 5" />
      </a>
    </div>
  );
}

function subscribeToScroll(listener: () => void): () => void {
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
  const startedAt = performance.now();
  const interruption = new AbortController();
  for (const type of ['wheel', 'touchstart', 'keydown'])
    addEventListener(type, () => interruption.abort(), { signal: interruption.signal, passive: true });
  requestAnimationFrame(function step(now) {
    if (interruption.signal.aborted) return;
    const progress = Math.min(Math.max((now - startedAt) / durationMs, 0), 1);
    scrollTo(0, from * (1 - progress) ** 3);
    if (progress < 1) requestAnimationFrame(step);
    else interruption.abort();
  });
}
