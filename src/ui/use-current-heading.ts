import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

export function useCurrentHeading(headings: string[]): string | undefined {
  const [currentId, setCurrentId] = useState<string>();
  const { hash, key } = useLocation();
  const ids = headings.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with each jump to the same heading
  useEffect(() => {
    let frame = 0;
    const update = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setCurrentId(findCurrentHeading(ids.split(' '), hash)));
    };
    // Opened answers and loaded fonts move headings without a scroll.
    const resizeObserver = new ResizeObserver(update);
    resizeObserver.observe(document.body);
    const listeners = new AbortController();
    for (const type of ['scroll', 'resize'])
      addEventListener(type, update, { signal: listeners.signal, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      resizeObserver.disconnect();
      listeners.abort();
    };
  }, [ids, hash, key]);
  return currentId;
}

const tolerancePx = 48;

/** The threshold moves down near the end of the page, so that short last sections become current too. */
function findCurrentHeading(ids: string[], hash: string): string | undefined {
  const positions = ids.flatMap(id => {
    const heading = document.getElementById(id);
    return heading && heading.getClientRects().length > 0
      ? [{ id, top: heading.getBoundingClientRect().top }]
      : [];
  });
  const { scrollHeight } = document.documentElement;
  const remaining = Math.max(scrollHeight - innerHeight - scrollY, 0);
  const scrollPadding = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

  const target = positions.find(({ id }) => `#${id}` === hash);
  const isAtTop = target && Math.abs(target.top - scrollPadding) < 3;
  const isVisibleAtEnd = target && remaining < 2 && target.top >= scrollPadding && target.top < innerHeight;
  if (isAtTop || isVisibleAtEnd) return target.id;

  const start = scrollPadding + tolerancePx;
  const threshold = start + (innerHeight - start) * Math.max(1 - remaining / innerHeight, 0);
  return (positions.findLast(({ top }) => top <= threshold) ?? positions[0])?.id;
}
