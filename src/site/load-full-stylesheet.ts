import type { ChunkError, chunkTimeoutMs } from './chunks.ts';

let coming: Promise<void> | undefined;

/** A page's HTML carries its own rules alone; React needs those of every page. The dev server sends them all at once. */
export function loadFullStylesheet(address: string | undefined, digest = ''): Promise<void> {
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
      const known: Pick<ChunkError, 'name' | 'chunk'> = { name: 'ChunkError', chunk: 'styles' };
      reject(Object.assign(new Error('Loading the style sheet failed'), known));
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
