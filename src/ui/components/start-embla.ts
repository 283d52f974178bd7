import EmblaCarousel, { type EmblaCarouselType } from 'embla-carousel';
import { prefersReducedMotion } from '../reduced-motion.ts';

export function startEmbla(viewport: HTMLElement): EmblaCarouselType {
  const { left: edge } = viewport.getBoundingClientRect();
  const slides = [...(viewport.firstElementChild?.children ?? [])];
  const startIndex = slides.findIndex(slide => {
    const { left, right } = slide.getBoundingClientRect();
    return (left + right) / 2 > edge;
  });
  viewport.dataset.embla = '';
  const embla = EmblaCarousel(viewport, {
    align: 'start',
    loop: true,
    startIndex,
    // No drag on the second press of a double click, which selects a word.
    watchDrag: (_, { detail }) => detail < 2,
    watchFocus: false,
  });
  embla.on('pointerDown', () => viewport.toggleAttribute('data-dragging', true));
  embla.on('pointerUp', () => {
    viewport.toggleAttribute('data-dragging', false);
    if (prefersReducedMotion()) embla.scrollTo(embla.selectedScrollSnap(), true);
  });
  turnByWheel(viewport, embla);
  return embla;
}

/** A sideways swipe on a trackpad turns one slide; its momentum events (no pause between them) are ignored. */
function turnByWheel(viewport: HTMLElement, embla: EmblaCarouselType): void {
  let lastEventAt = 0;
  function turn(event: WheelEvent): void {
    const { deltaX, deltaY, timeStamp } = event;
    if (Math.abs(deltaX) < Math.max(8, Math.abs(deltaY))) return;
    // Some browsers would go back a page.
    event.preventDefault();
    if (timeStamp - lastEventAt > 150) {
      if (deltaX < 0) embla.scrollPrev(prefersReducedMotion());
      else embla.scrollNext(prefersReducedMotion());
    }
    lastEventAt = timeStamp;
  }
  viewport.addEventListener('wheel', turn, { passive: false });
}
