import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router';

export function useOpenFragment(): void {
  const { key, hash } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link to the same answer again opens it again
  useLayoutEffect(() => {
    const isHydration = document.documentElement.dataset.script !== 'react';
    // Browsers with this event open the answer themselves, and the visitor may have closed it since.
    if (isHydration && 'onbeforematch' in window) return;
    const answer = findFragmentTarget(hash)?.closest('details');
    if (!answer || answer.open) return;
    answer.open = true;
    if (isHydration && scrollY === 0) answer.scrollIntoView();
  }, [key, hash]);
}

export function findFragmentTarget(hash: string): HTMLElement | null {
  try {
    return hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  } catch {
    return null;
  }
}
