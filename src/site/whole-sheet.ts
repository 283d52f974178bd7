import type { ChunkError } from './chunk-error.ts';
import type { chunkTimeoutMs } from './chunks.ts';

let coming: Promise<void> | undefined;

/**
 * A page's HTML carries the rules for itself alone. What React adds to it, and the pages that React leads to, need them
 * all, so React waits for the whole sheet. While the site is being edited a page has it from the start.
 */
export function loadWholeSheet(address: string | undefined, digest = ''): Promise<void> {
  if (!address) return Promise.resolve();
  coming ??= addSheet(address, digest);
  return coming;
}

function addSheet(address: string, digest: string): Promise<void> {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'stylesheet', href: address, integrity: digest });
  return new Promise((resolve, reject) => {
    function fail(): void {
      clearTimeout(late);
      link.remove();
      coming = undefined;
      // Made here: what the boot script shares with React would be fetched before React is needed.
      const error = new Error('Loading the style sheet failed');
      const known: Omit<ChunkError, keyof Error> & { name: 'ChunkError' } = {
        name: 'ChunkError',
        chunk: 'styles',
      };
      reject(Object.assign(error, known));
    }
    const late = setTimeout(fail, 120_000 satisfies typeof chunkTimeoutMs);
    link.onload = () => {
      clearTimeout(late);
      resolve();
    };
    link.onerror = fail;
    document.head.append(link);
  });
}
