/** In every page as a data block, because the file names carry hashes. */
export type ChunkManifest = Record<string, string>;

export type LoadChunk = (name: string) => Promise<unknown>;

/** Heading ids begin with a letter, so none can take this one. */
export const chunkManifestId = '_chunks';
export const stylesDigest = 'styles digest';
export const chunkTimeoutMs = 120_000;

export function createChunkLoader(table: ChunkManifest): LoadChunk {
  const chunks = new Map<string, Promise<unknown>>();
  const failures = new Map<string, number>();

  return name => {
    const known = chunks.get(name);
    if (known) return known;
    // Browsers may remember a failed import for ever, and never retry a hung one: change the address.
    const failed = failures.get(name) ?? 0;
    const address = `${table[name]}${failed ? `?retry=${failed}` : ''}`;
    const chunk = withTimeout(import(/* @vite-ignore */ address)).catch(cause => {
      chunks.delete(name);
      failures.set(name, failed + 1);
      throw chunkError(name, cause);
    });
    chunks.set(name, chunk);
    return chunk;
  };
}

/** Recognised by its name and not by a class: the code that shows it is in another chunk. */
export function chunkError(name: string, cause: unknown): ChunkError {
  return Object.assign(new Error(`chunk ${name} failed`, { cause }), {
    name: 'ChunkError' as const,
    chunk: name,
  });
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('late')), chunkTimeoutMs));
  return Promise.race([work, late]);
}

export type ChunkError = Error & { name: 'ChunkError'; chunk: string };
