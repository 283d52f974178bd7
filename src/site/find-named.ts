/** The place that an address names. A fragment is whatever somebody wrote into a link; one that cannot be decoded names nothing. */
export function findNamed(hash: string): HTMLElement | null {
  try {
    return hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  } catch {
    return null;
  }
}
