import type { EmblaCarouselType } from 'embla-carousel';
import { type KeyboardEvent, type ReactNode, startTransition, useCallback, useRef, useState } from 'react';
import { prefersReducedMotion } from '../reduced-motion.ts';
import { CarouselControls } from './carousel-controls.tsx';
import { startEmbla } from './start-embla.ts';

type CarouselProps = {
  label: string;
  names: string[];
  texts: { previous: string; next: string; slide: string };
  children: ReactNode[];
};

export function Carousel({ label, names, texts, children }: CarouselProps) {
  const carousel = useRef<EmblaCarouselType>(null);
  const [current, setCurrent] = useState(0);
  const [announcement, setAnnouncement] = useState('');
  const labels = names.map((name, index) =>
    texts.slide
      .replace('{number}', String(index + 1))
      .replace('{total}', String(names.length))
      .replace('{name}', name),
  );

  // A ref, because React may replay the click that caused hydration right after the commit.
  const start = useCallback((viewport: HTMLDivElement) => {
    const embla = startEmbla(viewport);
    // A transition, so that the carousel moves before React renders.
    const updateCurrent = () => startTransition(() => setCurrent(embla.selectedScrollSnap()));
    embla.on('select', updateCurrent);
    updateCurrent();
    carousel.current = embla;
    return () => embla.destroy();
  }, []);

  function turn(by: number): void {
    if (by < 0) carousel.current?.scrollPrev(prefersReducedMotion());
    else carousel.current?.scrollNext(prefersReducedMotion());
    announceTurn();
  }

  function show(index: number): void {
    carousel.current?.scrollTo(index, prefersReducedMotion());
    announceTurn();
  }

  function announceTurn(): void {
    const embla = carousel.current;
    const shown = embla?.selectedScrollSnap() ?? 0;
    startTransition(() => setAnnouncement(labels[shown] ?? ''));
    if (embla?.rootNode().contains(document.activeElement))
      embla.slideNodes()[shown]?.querySelector('a')?.focus({ preventScroll: true });
  }

  /** Replaces Embla's own focus handling, which also scrolls to slides that are in view already. */
  function showFocused(slide: HTMLElement, index: number): void {
    const { left, right } = slide.getBoundingClientRect();
    const frame = carousel.current?.rootNode().getBoundingClientRect();
    // Embla's `slidesInView` is a moment behind the turn that a fast visitor has just made.
    if (frame && (left < frame.left - 1 || right > frame.right + 1))
      carousel.current?.scrollTo(index, prefersReducedMotion());
  }

  function turnByKey(event: KeyboardEvent): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    // With one of these the arrow is the browser's: Alt and Left go back.
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    turn(event.key === 'ArrowLeft' ? -1 : 1);
  }

  return (
    <div aria-label={label} aria-roledescription="carousel" onKeyDown={turnByKey} role="group">
      <div className="carousel" ref={start}>
        <div className="slides">
          {children.map((slide, index) => (
            <div
              aria-label={labels[index]}
              aria-roledescription="slide"
              key={labels[index]}
              onFocus={({ currentTarget }) => showFocused(currentTarget, index)}
              role="group"
            >
              {slide}
            </div>
          ))}
        </div>
      </div>
      <CarouselControls current={current} names={labels} onShow={show} onStep={turn} texts={texts} />
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </div>
  );
}
