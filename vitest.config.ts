import { defineConfig } from 'vitest/config';
import { commonConfig } from './src/build/vite-config.ts';

/** What is waited for is there in a moment, or on a busy machine in a few. */
const patience = { poll: { timeout: 10_000 } };

/** `unit`: beside the code, and what crosses rooms without a browser. `faults`: what takes long. */
export default defineConfig({
  test: {
    // A browser file waits as much as it works: two of them fill two cores.
    maxWorkers: 2,
    projects: [
      {
        plugins: commonConfig().plugins ?? [],
        test: {
          name: 'unit',
          expect: patience,
          include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          testTimeout: 20_000,
          globalSetup: ['tests/harness/build.setup.ts', 'tests/harness/postgres.setup.ts'],
        },
      },
      {
        test: {
          name: 'browser',
          expect: patience,
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: ['tests/harness/build.setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          expect: patience,
          include: ['tests/faults/**/*.test.ts'],
          globalSetup: ['tests/harness/build.setup.ts', 'tests/harness/postgres.setup.ts'],
          testTimeout: 300_000,
        },
      },
    ],
  },
});
