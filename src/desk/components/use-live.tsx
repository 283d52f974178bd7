import { createContext, useContext, useEffect } from 'react';
import type { Page } from '../pages.ts';

export const LiveContext = createContext<(page: Page) => void>(() => undefined);

/** Shows this page anew every few seconds while it can be seen. The URL and what was typed stay. */
export function useLive(seconds: number, isActive = true): void {
  const show = useContext(LiveContext);
  useEffect(() => {
    if (!isActive) return;
    const stop = new AbortController();
    const timer = setInterval(async () => {
      if (document.hidden) return;
      const page = await fetchPage(stop.signal);
      if (page && !stop.signal.aborted) show(page);
    }, seconds * 1000);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [show, seconds, isActive]);
}

/** While the desk is restarted there is no answer: the page stays as it is. */
async function fetchPage(signal: AbortSignal): Promise<Page | undefined> {
  try {
    const response = await fetch(location.href, { headers: { accept: 'application/json' }, signal });
    // 401: the desk was restarted, and the page that says so has the way back in.
    const isPage = response.ok || response.status === 401;
    return isPage ? ((await response.json()) as Page) : undefined;
  } catch {
    return undefined;
  }
}
