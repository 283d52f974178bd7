import type { ChunkError } from './chunk-error.ts';

/**
 * A page's HTML carries the rules for itself alone. What React adds to it, and the pages that React leads to, need them
 * all, so React waits for the whole sheet. While the site is being edited a page has it from the start.
 */
export function loadWholeSheet(address: string | undefined, digest = ''): Promise<void> {
  if (!address || document.head.querySelector(`link[href="${address}"]`)) return Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  link.integrity = digest;
  link.onload = () => resolve();
  link.onerror = () => {
    link.remove();
    // Made here: what the boot script shares with React would be fetched before React is needed.
    reject(
      Object.assign(new Error('Loading the style sheet failed'), {
        name: 'ChunkError',
        chunk: 'styles',
      } satisfies Omit<ChunkError, keyof Error> & { name: 'ChunkError' }),
    );
  };
  document.head.append(link);
  return promise;
}
