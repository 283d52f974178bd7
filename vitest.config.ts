import { defineConfig } from 'vitest/config';
import { commonConfig } from './src/apps/build/vite-config.ts';
import { LongestFirst } from './tests/harness/sequencer.ts';

/** A busy machine may take seconds for what takes a moment. */
const expect = { poll: { timeout: 10_000 } };

const setups = {
  build: 'tests/harness/build.setup.ts',
  compileCache: 'tests/harness/compile-cache.setup.ts',
  postgres: 'tests/harness/postgres.setup.ts',
  browser: 'tests/harness/browser.setup.ts',
  fastCheck: 'tests/harness/fast-check.setup.ts',
};

/** `unit`: beside the code, without a built site. `integration`: across folders. */
export default defineConfig({
  test: {
    // Two fill two cores, because a file seldom waits; a third would import every module once more.
    maxWorkers: 2,
    maxConcurrency: 2,
    // No test replaces a module or leaves one changed, so a worker imports each module once.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: commonConfig().plugins ?? [],
        test: {
          name: 'unit',
          setupFiles: setups.fastCheck,
          expect,
          include: ['src/**/*.test.{ts,tsx}'],
          testTimeout: 20_000,
          globalSetup: setups.postgres,
        },
      },
      {
        plugins: commonConfig().plugins ?? [],
        test: {
          name: 'integration',
          setupFiles: setups.fastCheck,
          expect,
          include: ['tests/*.test.ts'],
          testTimeout: 20_000,
          globalSetup: [setups.build, setups.compileCache, setups.postgres],
        },
      },
      {
        test: {
          name: 'browser',
          expect,
          include: ['tests/browser/**/*.test.ts'],
          // The tests of the desk run on PostgreSQL in `npm run proof -- desk`.
          globalSetup: [
            setups.build,
            setups.compileCache,
            setups.browser,
            ...(process.env.TEST_DATABASE ? [setups.postgres] : []),
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
