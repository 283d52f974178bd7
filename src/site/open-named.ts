import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router';
import { findNamed } from './find-named.ts';

/** Opens the answer that the address names, where the browser did not do it by itself. */
export function useOpenNamed(): void {
  const { key, hash } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link to the same answer again opens it again
  useLayoutEffect(() => {
    const isFirst = document.documentElement.dataset.script !== 'react';
    // A browser that knows this event has opened it on arrival, and the visitor may have closed it since.
    if (isFirst && 'onbeforematch' in window) return;
    const answer = findNamed(hash)?.closest('details');
    if (!answer || answer.open) return;
    answer.open = true;
    if (isFirst && scrollY === 0) answer.scrollIntoView();
  }, [key, hash]);
}
