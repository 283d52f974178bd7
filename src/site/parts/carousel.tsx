import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { createEndlessRow, type EndlessRow, slideAt } from '../endless-row.ts';
import { CarouselControls } from './carousel-controls.tsx';

type Slide = { id: string; name: string };

type CarouselProps<Item extends Slide> = {
  label: string;
  slides: Item[];
  words: { previous: string; next: string; slide: string };
  /** A copy looks like its slide, but is there for the eye and the pointer alone. */
  children(slide: Item, isCopy: boolean): ReactNode;
};

/** A row of slides that scrolls and snaps by itself; React makes it endless and adds buttons, dots and arrow keys. */
export function Carousel<Item extends Slide>({ label, slides, words, children }: CarouselProps<Item>) {
  const row = useRef<HTMLDivElement>(null);
  const endless = useRef<EndlessRow>(null);
  const early = useRef(0);
  /** Where the row is, or will be when the presses so far are done. */
  const here = useRef(0);
  const [start, setStart] = useState<number>();
  const [current, setCurrent] = useState(0);
  const [announced, setAnnounced] = useState('');
  const count = slides.length;

  // A visitor may have scrolled the row before React came: it goes on from there.
  useEffect(() => {
    here.current = row.current ? slideAt(row.current) : 0;
    startTransition(() => setStart(here.current));
  }, []);
  useLayoutEffect(() => {
    if (start === undefined || !row.current) return;
    endless.current = createEndlessRow({
      row: row.current,
      count,
      start,
      // Told, here as in `turn`, after the row has begun to move: nothing holds that up.
      onChange(index) {
        here.current = index;
        startTransition(() => setCurrent(index));
      },
    });
    endless.current.move(early.current);
    return () => endless.current?.stop();
  }, [start, count]);

  function turn(by: number): void {
    const shown = (here.current + by + count) % count;
    startTransition(() => setAnnounced(nameOf(words.slide, shown, slides)));
    // A press that woke React comes before the row is endless.
    if (endless.current) endless.current.move(by);
    else {
      early.current += by;
      here.current = shown;
    }
    // Who was reading a slide goes on reading the one that takes its place.
    if (document.activeElement?.closest('[aria-roledescription=slide]'))
      row.current?.querySelector<HTMLElement>(`[data-slide="${shown}"] a`)?.focus({ preventScroll: true });
  }

  /** The shortest way round. */
  function show(index: number): void {
    const way = (index - here.current + count) % count;
    turn(way > count / 2 ? way - count : way);
  }

  function turnByKey(event: KeyboardEvent): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    turn(event.key === 'ArrowLeft' ? -1 : 1);
  }

  const isEndless = start !== undefined;
  // A turn changes the controls alone.
  const shown = useMemo(
    () =>
      (isEndless ? ['before', 'middle', 'after'] : ['middle']).flatMap(round =>
        slides.map((slide, index) =>
          round === 'middle' ? (
            <div
              aria-label={nameOf(words.slide, index, slides)}
              aria-roledescription="slide"
              data-slide={index}
              key={slide.id}
              role="group"
            >
              {children(slide, false)}
            </div>
          ) : (
            <div aria-hidden="true" key={`${round} ${slide.id}`}>
              {children(slide, true)}
            </div>
          ),
        ),
      ),
    [isEndless, slides, words.slide, children],
  );
  return (
    <div aria-label={label} aria-roledescription="carousel" onKeyDown={turnByKey} role="group">
      <div className="slides" ref={row}>
        {shown}
      </div>
      <CarouselControls
        current={current}
        names={slides.map((_, index) => nameOf(words.slide, index, slides))}
        onShow={show}
        onTurn={turn}
        words={words}
      />
      <p aria-live="polite" className="sr-only">
        {announced}
      </p>
    </div>
  );
}

/** '2 of 5: Data Security' */
function nameOf(pattern: string, index: number, slides: Slide[]): string {
  return pattern
    .replace('{number}', String(index + 1))
    .replace('{total}', String(slides.length))
    .replace('{name}', slides[index]?.name ?? '');
}
