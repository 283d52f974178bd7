import { defineConfig } from 'vitest/config';
import { commonConfig } from './src/build/vite-config.ts';

/** `unit` stands beside the code; `house` crosses rooms: processes, sockets, both databases, a real browser. */
export default defineConfig({
  test: {
    projects: [
      {
        plugins: commonConfig().plugins ?? [],
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          globalSetup: ['tests/harness/postgres.setup.ts'],
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          globalSetup: ['tests/harness/postgres.setup.ts'],
          testTimeout: 300_000,
        },
      },
    ],
  },
});
