import { afterAll } from 'vitest';

/** Made once for all tests of a file or suite, and disposed of after them, the latest first. */
export async function disposeAfterAll<Thing extends AsyncDisposable>(making: Promise<Thing>): Promise<Thing> {
  const thing = await making;
  afterAll(() => thing[Symbol.asyncDispose]());
  return thing;
}
