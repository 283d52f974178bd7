/** Where on the site a visitor is. Each step of their history has a key of its own, also one that leads to the same place. */
export type Place = { pathname: string; search: string; hash: string; key: string };

/** The address that the browser shows; an entry that somebody else made gets its key here. */
export function readPlace(): Place {
  const { pathname, search, hash } = location;
  const state = history.state as { key?: unknown } | null;
  if (typeof state?.key === 'string') return { pathname, search, hash, key: state.key };
  const key = createKey();
  history.replaceState({ ...state, key }, '');
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
