import { deskPath, deskUrl, setDeskBase } from './desk-url.ts';

/**
 * The prefix is kept for other tabs of this browser: of a link that was used, and of a desk before a restart. Storage belongs
 * to an origin, which includes the port, so that no other port can read it. It is no secret after the process has ended.
 */
const storageKey = 'desk';

export function rememberDesk(prefix: string): void {
  try {
    localStorage.setItem(storageKey, prefix);
  } catch {
    // Without storage a used link is refused.
  }
}

/** The prefix of the desk in which this browser is signed in. */
export async function findOpenDesk(): Promise<string | undefined> {
  const prefix = readStorage();
  // The page's own desk has just refused.
  if (!prefix || prefix === deskUrl('') || !/^\/[\w-]{43}$/.test(prefix)) return undefined;
  const response = await fetch(`${prefix}/session`).catch(() => undefined);
  return response?.ok ? prefix : undefined;
}

function readStorage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** From the page's own desk. After a restart, once the new link was opened in another tab, from the new one. */
export async function fetchDesk(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(deskUrl(path), init);
  if (response.status !== 401) return response;
  const prefix = await findOpenDesk();
  if (!prefix) return response;
  history.replaceState(null, '', prefix + currentPath() + location.hash);
  setDeskBase(prefix);
  return fetch(deskUrl(path), init);
}

/** Of the page that is shown, with its query. */
export function currentPath(): string {
  return (deskPath(location.pathname) ?? '/') + location.search;
}
