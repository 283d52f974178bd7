/** URLs by chunk name, in every page as JSON, because the file names contain hashes. */
export type ChunkManifest = Record<string, string>;

export type LoadChunk = (name: string) => Promise<unknown>;

export const chunkManifestId = '_chunks';
export const stylesDigest = 'styles digest';
export const chunkTimeoutMs = 120_000;

export function createChunkLoader(manifest: ChunkManifest): LoadChunk {
  const chunks = new Map<string, Promise<unknown>>();
  const failures = new Map<string, number>();

  return name => {
    const loading = chunks.get(name);
    if (loading) return loading;
    // Browsers may cache a failed import for ever, and never retry a hung one: a query makes it a new URL.
    const failureCount = failures.get(name) ?? 0;
    const url = `${manifest[name]}${failureCount ? `?retry=${failureCount}` : ''}`;
    const chunk = withTimeout(import(/* @vite-ignore */ url)).catch(cause => {
      chunks.delete(name);
      failures.set(name, failureCount + 1);
      throw chunkError(name, cause);
    });
    chunks.set(name, chunk);
    return chunk;
  };
}

/** Recognised by name instead of class, because the code that shows it is in another chunk. */
export function chunkError(name: string, cause: unknown): ChunkError {
  return Object.assign(new Error(`chunk ${name} failed`, { cause }), {
    name: 'ChunkError' as const,
    chunk: name,
  });
}

function withTimeout<T>(loading: Promise<T>): Promise<T> {
  const timeout = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('timeout')), chunkTimeoutMs),
  );
  return Promise.race([loading, timeout]);
}

export type ChunkError = Error & { name: 'ChunkError'; chunk: string };
