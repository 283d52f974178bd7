import { createContext, type Dispatch, type SetStateAction, useContext, useEffect } from 'react';
import type { Page } from '../../core/desk/page.ts';
import { currentPath, fetchDesk } from './fetch-desk.tsx';
import { restarted } from './restarted.ts';

export type ShowPage = Dispatch<SetStateAction<Page>>;

export const LiveContext = createContext<{ page?: Page; show: ShowPage }>({ show: () => undefined });

/** Shows this page anew every few seconds while it can be seen. The URL and what was typed stay. */
export function useLive(seconds: number, isActive = true): void {
  const { page: shown, show } = useContext(LiveContext);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer to what was asked before this page was shown is too old
  useEffect(() => {
    if (!isActive) return;
    const stop = new AbortController();
    const timer = setInterval(async () => {
      if (document.hidden) return;
      const page = await fetchPage(stop.signal);
      if (!page || stop.signal.aborted) return;
      show(present =>
        page === 'restarted' ? { ...present, notice: { kind: 'failed', text: restarted } } : page,
      );
    }, seconds * 1000);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [shown, show, seconds, isActive]);
}

/** While the desk is restarted there is no answer: the page stays as it is. */
async function fetchPage(signal: AbortSignal): Promise<Page | 'restarted' | undefined> {
  try {
    const response = await fetchDesk(currentPath(), { headers: { accept: 'application/json' }, signal });
    if (response.status === 401) return 'restarted';
    return response.ok ? ((await response.json()) as Page) : undefined;
  } catch {
    return undefined;
  }
}
