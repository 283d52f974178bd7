import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

export function useCurrentHeading(headings: string[]): string | undefined {
  const [here, setHere] = useState<string>();
  const { hash, key } = useLocation();
  const ids = headings.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a jump to the same place is a new one by its key
  useEffect(() => {
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setHere(findPlace(ids.split(' '), hash)));
    };
    // Answers that open and fonts that arrive move headings without a scroll.
    const sizes = new ResizeObserver(look);
    sizes.observe(document.body);
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [ids, hash, key]);
  return here;
}

const allowance = 48;

/** The line that a heading has to pass moves down at the end of the page, so that short last sections are marked too. */
function findPlace(ids: string[], hash: string): string | undefined {
  const places = ids.flatMap(id => {
    const heading = document.getElementById(id);
    return heading && heading.getClientRects().length > 0
      ? [{ id, top: heading.getBoundingClientRect().top }]
      : [];
  });
  const { scrollHeight } = document.documentElement;
  const left = Math.max(scrollHeight - innerHeight - scrollY, 0);
  const landing = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

  // A visitor who has just jumped is at that heading, even if the page is too short to put it at the top.
  const named = places.find(({ id }) => `#${id}` === hash);
  const isLanding = named && Math.abs(named.top - landing) < 3;
  const isInSight = named && left < 2 && named.top >= landing && named.top < innerHeight;
  if (isLanding || isInSight) return named.id;

  const start = landing + allowance;
  const line = start + (innerHeight - start) * Math.max(1 - left / innerHeight, 0);
  return (places.findLast(({ top }) => top <= line) ?? places[0])?.id;
}
