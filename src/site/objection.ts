import type { UncountedKey } from './counting.ts';

const uncountedKey: UncountedKey = 'uncounted';
const campaignKey = 'campaign';
const change = 'countchange';

/** Whether this browser was told not to be counted. */
export function isUncounted(): boolean {
  return read() === 'yes';
}

/** A browser that objects by itself, or that can remember nothing, is not counted whatever its visitor says here. */
export function mayChoose(): boolean {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return !globalPrivacyControl && doNotTrack !== '1' && read() !== undefined;
}

export function setUncounted(isOff: boolean): void {
  if (isOff) localStorage.setItem(uncountedKey, 'yes');
  else localStorage.removeItem(uncountedKey);
  if (isOff) sessionStorage.removeItem(campaignKey);
  dispatchEvent(new Event(change));
}

/** Another tab may have switched it as well. */
export function listen(listener: () => void): () => void {
  for (const type of ['storage', change]) addEventListener(type, listener);
  return () => {
    for (const type of ['storage', change]) removeEventListener(type, listener);
  };
}

function read(): string | null | undefined {
  try {
    return localStorage.getItem(uncountedKey);
  } catch {
    return undefined;
  }
}
