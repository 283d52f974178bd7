import { defineConfig } from 'vitest/config';
import { commonConfig } from './src/build/vite-config.ts';
import { LongestFirst } from './tests/harness/sequencer.ts';

/** What is waited for is there in a moment, or on a busy machine in a few. */
const patience = { poll: { timeout: 10_000 } };

const setups = {
  build: 'tests/harness/build.setup.ts',
  copies: 'tests/harness/copies.setup.ts',
  postgres: 'tests/harness/postgres.setup.ts',
  browser: 'tests/harness/browser.setup.ts',
  chance: 'tests/harness/chance.setup.ts',
};

/** `unit`: beside the code, and what crosses rooms without a browser. `faults`: what takes long. */
export default defineConfig({
  test: {
    // A file waits nearly as much as it works: three of them fill two cores.
    maxWorkers: 3,
    // No file replaces a module or leaves one changed: what is imported serves all that a worker runs.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: commonConfig().plugins ?? [],
        test: {
          name: 'unit',
          setupFiles: setups.chance,
          expect: patience,
          include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          testTimeout: 20_000,
          globalSetup: [setups.build, setups.copies, setups.postgres],
        },
      },
      {
        test: {
          name: 'browser',
          expect: patience,
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: [setups.build, setups.copies, setups.browser],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          expect: patience,
          include: ['tests/faults/**/*.test.ts'],
          globalSetup: [setups.build, setups.copies, setups.postgres],
          testTimeout: 300_000,
        },
      },
    ],
  },
});
