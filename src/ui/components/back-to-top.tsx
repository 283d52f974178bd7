import { site } from 'content:site';
import type { MouseEvent } from 'react';
import { prefersReducedMotion } from '../reduced-motion.ts';
import { Icon } from './icon.tsx';

const durationMs = 500;

export function BackToTop() {
  return (
    <a
      className="inline-flex min-h-12 items-center gap-2 rounded-pill border border-edge px-4 text-text hover:border-accent hover:text-accent print:hidden"
      href="#top"
      onClick={scrollToTop}
    >
      {site.footer.toTop}
      <Icon d="M10 16V4m-5 5 5-5 5 5" />
    </a>
  );
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
