/** What the loader throws. It lives in the boot script, so it is known by its name and not by its class. */
export type ChunkError = Error & { name: 'ChunkError'; chunk: string };

export function isChunkError(error: unknown): error is ChunkError {
  return error instanceof Error && error.name === 'ChunkError';
}
