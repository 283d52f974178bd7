import type { ChunkError, chunkTimeoutMs } from './chunks.ts';

let loading: Promise<void> | undefined;

/** A page's HTML contains only its own rules; React needs those of every page. The dev server needs no second file. */
export function loadFullStylesheet(url: string | undefined, digest = ''): Promise<void> {
  if (!url) return Promise.resolve();
  loading ??= appendStylesheet(url, digest);
  return loading;
}

function appendStylesheet(url: string, digest: string): Promise<void> {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'stylesheet', href: url, integrity: digest });
  return new Promise((resolve, reject) => {
    function fail(): void {
      clearTimeout(timeout);
      link.remove();
      loading = undefined;
      // Not chunkError(): a module shared with the boot script would be fetched before React is needed.
      const properties: Pick<ChunkError, 'name' | 'chunk'> = { name: 'ChunkError', chunk: 'styles' };
      reject(Object.assign(new Error('Loading the style sheet failed'), properties));
    }
    const timeout = setTimeout(fail, 120_000 satisfies typeof chunkTimeoutMs);
    link.onload = () => {
      clearTimeout(timeout);
      resolve();
    };
    link.onerror = fail;
    document.head.append(link);
  });
}
