import site from 'content:site';
import type { MouseEvent } from 'react';

const durationMs = 500;

/** A plain link to the top; with JavaScript it scrolls there in half a second and leaves the address alone. */
export function ToTop() {
  return (
    <a
      className="inline-flex min-h-11 items-center gap-2 rounded-pill border border-edge px-4 hover:border-accent hover:text-text"
      href="#top"
      onClick={scrollToTop}
    >
      {site.footer.toTop} <span aria-hidden="true">↑</span>
    </a>
  );
}

function scrollToTop(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('top')?.focus({ preventScroll: true });
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    scrollTo(0, 0);
    return;
  }
  const from = scrollY;
  const started = performance.now();
  requestAnimationFrame(function step(now) {
    const share = Math.min(Math.max((now - started) / durationMs, 0), 1);
    scrollTo(0, from * (1 - share) ** 3);
    if (share < 1) requestAnimationFrame(step);
  });
}
