import type { EmblaCarouselType } from 'embla-carousel';
import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { prefersReducedMotion } from '../reduced-motion.ts';
import { CarouselControls } from './carousel-controls.tsx';
import { startEmbla } from './start-embla.ts';

type CarouselProps = {
  label: string;
  names: string[];
  words: { previous: string; next: string; slide: string };
  /** The same elements at every turn, so that React does not render them again. */
  children: ReactNode[];
};

/** A scroll-snap row in the HTML; with React, Embla makes it a loop with buttons, dots and arrow keys. */
export function Carousel({ label, names, words, children }: CarouselProps) {
  const viewport = useRef<HTMLDivElement>(null);
  const carousel = useRef<EmblaCarouselType>(null);
  const [current, setCurrent] = useState(0);
  const [announced, setAnnounced] = useState('');
  const labels = names.map((name, index) =>
    words.slide
      .replace('{number}', String(index + 1))
      .replace('{total}', String(names.length))
      .replace('{name}', name),
  );

  // A layout effect, because React may dispatch the press that it hydrated for right after the commit.
  useLayoutEffect(() => {
    if (!viewport.current) return;
    const embla = startEmbla(viewport.current);
    // The carousel begins to move first: dots and announcement follow as a transition.
    const follow = () => startTransition(() => setCurrent(embla.selectedScrollSnap()));
    embla.on('select', follow);
    follow();
    carousel.current = embla;
    return () => embla.destroy();
  }, []);

  function turn(by: number): void {
    if (by < 0) carousel.current?.scrollPrev(prefersReducedMotion());
    else carousel.current?.scrollNext(prefersReducedMotion());
    followTurn();
  }

  function show(index: number): void {
    carousel.current?.scrollTo(index, prefersReducedMotion());
    followTurn();
  }

  function followTurn(): void {
    const shown = carousel.current?.selectedScrollSnap() ?? 0;
    startTransition(() => setAnnounced(labels[shown] ?? ''));
    if (viewport.current?.contains(document.activeElement))
      carousel.current?.slideNodes()[shown]?.querySelector('a')?.focus({ preventScroll: true });
  }

  /** Embla itself follows the Tab key only, and also to slides that are in view already. */
  function showFocused(index: number): void {
    if (!carousel.current?.slidesInView().includes(index))
      carousel.current?.scrollTo(index, prefersReducedMotion());
  }

  function turnByKey(event: KeyboardEvent): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    turn(event.key === 'ArrowLeft' ? -1 : 1);
  }

  return (
    <div aria-label={label} aria-roledescription="carousel" onKeyDown={turnByKey} role="group">
      <div className="carousel" ref={viewport}>
        <div className="slides">
          {children.map((slide, index) => (
            <div
              aria-label={labels[index]}
              aria-roledescription="slide"
              key={labels[index]}
              onFocus={() => showFocused(index)}
              role="group"
            >
              {slide}
            </div>
          ))}
        </div>
      </div>
      <CarouselControls current={current} names={labels} onShow={show} onTurn={turn} words={words} />
      <p aria-live="polite" className="sr-only">
        {announced}
      </p>
    </div>
  );
}
