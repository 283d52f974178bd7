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
      <a className={linkClass} data-shown={isVisible ? '' : undefined} href="#top" onClick={scrollToTop}>
        <span className="react:sr-only">{site.footer.toTop}</span>
        <Icon d="M10 16V4m-5 5 5-5 5 5" />
      </a>
    </div>
  );
}

function subscribeToScroll(listener: () => void): () => void {
  const listeners = new AbortController();
  for (const type of ['scroll', 'resize'])
    addEventListener(type, listener, { signal: listeners.signal, passive: true });
  return () => listeners.abort();
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

const linkClass =
  'back-to-top inline-flex min-h-12 min-w-12 items-center justify-center gap-[0.5rem] rounded-pill border border-edge bg-raised px-[0.75rem] text-text hover:border-accent hover:text-accent react:p-0';
