import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router';

export function useOpenFragment(): void {
  const { key, hash } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link to the same answer again opens it again
  useLayoutEffect(() => {
    const isFirst = document.documentElement.dataset.script !== 'react';
    // A browser with this event has opened the answer on arrival, and the visitor may have closed it since.
    if (isFirst && 'onbeforematch' in window) return;
    const answer = findFragmentTarget(hash)?.closest('details');
    if (!answer || answer.open) return;
    answer.open = true;
    if (isFirst && scrollY === 0) answer.scrollIntoView();
  }, [key, hash]);
}

/** A fragment comes from any link: one that cannot be decoded names nothing. */
export function findFragmentTarget(hash: string): HTMLElement | null {
  try {
    return hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  } catch {
    return null;
  }
}
