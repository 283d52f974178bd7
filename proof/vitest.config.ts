import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Proofs that are written as tests: one at a time, because they measure or load the machine. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    name: 'proof',
    include: ['proof/**/*.test.ts'],
    exclude: ['proof/node_modules/**'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    setupFiles: 'tests/harness/fast-check.setup.ts',
    globalSetup: ['build', 'compile-cache', 'postgres', 'browser'].map(
      name => `tests/harness/${name}.setup.ts`,
    ),
  },
});
