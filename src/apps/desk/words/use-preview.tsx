import { useEffect, useState } from 'react';
import { fetchDesk } from '../../../ui/desk/fetch-desk.tsx';
import type { PreviewAnswer, PreviewRequest } from './words-types.ts';

const debounceMs = 300;

/** What the desk makes of the typed text, and whether a newer answer is on its way. */
export function usePreview(request: PreviewRequest): { answer?: PreviewAnswer; state: PreviewState } {
  const [answer, setAnswer] = useState<PreviewAnswer>();
  const [state, setState] = useState<PreviewState>('starting');
  const body = JSON.stringify(request);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first request does not wait, and no answer causes another
  useEffect(() => {
    const stop = new AbortController();
    async function load(): Promise<void> {
      setState(answer ? 'updating' : 'starting');
      const found = await fetchPreview(body, stop.signal);
      if (stop.signal.aborted) return;
      if (found) setAnswer(found);
      setState(found ? 'current' : 'failed');
    }
    const timer = setTimeout(load, answer ? debounceMs : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [body]);

  return { state, ...(answer && { answer }) };
}

export type PreviewState = 'starting' | 'updating' | 'current' | 'failed';

async function fetchPreview(body: string, signal: AbortSignal): Promise<PreviewAnswer | undefined> {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetchDesk('/words/preview', { method: 'POST', headers, body, signal });
    return response.ok ? ((await response.json()) as PreviewAnswer) : undefined;
  } catch {
    return undefined;
  }
}
