/** Where React Router's ScrollRestoration keeps its positions. */
export const scrollStorageKey = 'scroll-positions';

/**
 * Makes this history entry's own key, and forgets the position stored for it: the browser has already put the page
 * where it belongs, and a stored position would make the page jump when React arrives. Other entries keep theirs.
 */
export function prepareScroll(): void {
  const state = history.state ?? {};
  const key: string = state.key ?? Math.random().toString(36).slice(2, 10);
  if (!state.key) history.replaceState({ ...state, key, idx: state.idx ?? 0 }, '');
  try {
    const { [key]: _, ...others } = JSON.parse(sessionStorage.getItem(scrollStorageKey) ?? '{}');
    sessionStorage.setItem(scrollStorageKey, JSON.stringify(others));
  } catch {
    // Storage may be denied; Back then goes to the top of a page, which is no harm.
  }
}
