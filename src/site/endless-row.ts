import { listenToMouse } from './mouse-drag.ts';
import { isStill } from './stillness.ts';

export type EndlessRow = {
  /** So many slides on, or back. */
  move(by: number): void;
  stop(): void;
};

type EndlessRowOptions = {
  row: HTMLElement;
  count: number;
  start: number;
  onChange(index: number): void;
};

/**
 * Makes a scroll-snap row endless. Its slides stand in it three times; wherever a movement ends, the row is put back
 * by whole rounds to the middle ones, which looks the same. Scrolling itself stays the browser's: swiping keeps its
 * momentum, and where this does not run the row still scrolls.
 */
export function createEndlessRow({ row, count, start, onChange }: EndlessRowOptions): EndlessRow {
  const signal = new AbortController();
  const listen = { signal: signal.signal };
  let aim: number | undefined;
  let rest = count + start;
  let isHeld = false;
  let settling: ReturnType<typeof setTimeout> | undefined;

  const jump = (position: number) => row.scrollTo({ left: position * step(row), behavior: 'instant' });
  const place = () => row.scrollLeft / step(row);
  const wrap = (position: number) => ((position % count) + count) % count;

  function move(by: number): void {
    let target = (aim ?? Math.round(place())) + by;
    const rounds = Math.floor(target / count) - 1;
    // Far enough from both ends, a movement may run through copies; nearer to them the row is put back first.
    if (target < 1 || target > 2 * count) {
      jump(place() - rounds * count);
      target -= rounds * count;
    }
    aim = target;
    onChange(wrap(target));
    if (hasArrived(target)) settle();
    else row.scrollTo({ left: target * step(row), behavior: isStill() ? 'instant' : 'smooth' });
  }

  function hasArrived(position: number): boolean {
    return Math.abs(place() - position) * step(row) < 1.5;
  }

  /** Scrolling has come to rest: back to the middle round. */
  function settle(): void {
    if (isHeld || (aim !== undefined && !hasArrived(aim))) return;
    aim = undefined;
    delete row.dataset.dragging;
    rest = count + wrap(Math.round(place()));
    if (Math.abs(place() - rest) > 0.5) jump(rest);
    onChange(rest - count);
  }

  /** A hand on the row is stronger than where a button had sent it. */
  function takeOver(): void {
    aim = undefined;
  }

  jump(rest);
  row.addEventListener(
    'scroll',
    () => {
      if (aim === undefined) onChange(wrap(Math.round(place())));
      if (hasScrollEnd) return;
      clearTimeout(settling);
      settling = setTimeout(settle, 200);
    },
    { ...listen, passive: true },
  );
  row.addEventListener('scrollend', settle, listen);
  row.addEventListener('wheel', takeOver, { ...listen, passive: true });
  row.addEventListener(
    'touchstart',
    () => {
      takeOver();
      isHeld = true;
    },
    { ...listen, passive: true },
  );
  for (const name of ['touchend', 'touchcancel'] as const)
    row.addEventListener(
      name,
      () => {
        isHeld = false;
        if (hasArrived(Math.round(place()))) settle();
      },
      { ...listen, passive: true },
    );
  listenToMouse(row, signal.signal, {
    begin: () => {
      takeOver();
      isHeld = true;
    },
    pull(left) {
      row.dataset.dragging = '';
      const round = count * step(row);
      const isNearEnd = left < step(row) || left > 2 * round;
      const shift = isNearEnd ? (left < step(row) ? round : -round) : 0;
      row.scrollTo({ left: left + shift, behavior: 'instant' });
      return shift;
    },
    end(way) {
      isHeld = false;
      if (way === 0) return;
      // A short pull is enough to turn the slide.
      aim = Math.round(place() + way * 0.35);
      move(0);
    },
  });
  let width = row.clientWidth;
  const resized = new ResizeObserver(() => {
    if (row.clientWidth === width) return;
    width = row.clientWidth;
    takeOver();
    jump(rest);
  });
  resized.observe(row);

  return {
    move,
    stop() {
      signal.abort();
      resized.disconnect();
      clearTimeout(settling);
    },
  };
}

/** Which slide a row stands at. */
export function slideAt(row: HTMLElement): number {
  return Math.round(row.scrollLeft / step(row));
}

/** Browsers that do not know the event are at rest when nothing has scrolled for a while. */
const hasScrollEnd = typeof window !== 'undefined' && 'onscrollend' in window;

/** From the beginning of one slide to the beginning of the next, in fractions of a pixel. */
function step(row: HTMLElement): number {
  const [first, second] = row.children;
  return first && second ? second.getBoundingClientRect().left - first.getBoundingClientRect().left : 1;
}
