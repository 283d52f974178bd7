/** Where on the site a visitor is. Each step of their history has a key of its own, also one that leads to the same place. */
export type Place = { pathname: string; search: string; hash: string; key: string };

/** The address that the browser shows, spelt as it should be; an entry that somebody else made gets its key here. */
export function readPlace(pathname = location.pathname): Place {
  const { search, hash } = location;
  const state = history.state as { key?: unknown } | null;
  const key = typeof state?.key === 'string' ? state.key : createKey();
  if (key !== state?.key || pathname !== location.pathname)
    history.replaceState({ ...state, key }, '', pathname + search + hash);
  return { pathname, search, hash, key };
}

export function placeOf({ pathname, search, hash }: URL): Place {
  return { pathname, search, hash, key: createKey() };
}

/** Whether the way from one to the other leaves the page standing. */
export function isSamePage(one: Place, other: Place): boolean {
  return one.pathname === other.pathname && one.search === other.search;
}

function createKey(): string {
  return Math.random().toString(36).slice(2, 10);
}
