/** Part of the boot script, which shares no file with the chunks. Storage may be denied. */
export function inStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
