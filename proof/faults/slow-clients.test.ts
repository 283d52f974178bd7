import { expect, test } from 'vitest';
import { copyProject } from '../../tests/harness/process.ts';
import { writeResult } from '../figures.ts';
import { measureVisits, openSlowClients } from '../slow-clients.ts';

const clients = 500;
const heldMs = 25_000;

test(`${clients} slow clients for ${heldMs / 1000} s: honest p99 under 5 times the quiet one`, async () => {
  await using copy = copyProject();
  const address = await copy.start().address();
  await measureVisits(address, 2000);
  const quiet = await measureVisits(address, 4000);
  using slow = await openSlowClients(Number(new URL(address).port), clients);
  // What they ask for all at once is a load like any other; what counts is that they stay.
  await measureVisits(address, 1000);
  const rounds: { p50: number; p99: number; held: number }[] = [];
  const until = performance.now() + heldMs;
  while (performance.now() < until) {
    rounds.push({ ...(await measureVisits(address, 2000)), held: slow.held() });
  }
  const worst = Math.max(...rounds.map(({ p99 }) => p99));
  const fewest = Math.min(...rounds.map(({ held }) => held));
  process.stdout.write(
    `${clients} slow clients (never fewer than ${fewest}), ${rounds.length} rounds: p99 ${worst.toFixed(1)} ms at worst, quiet ${quiet.p99.toFixed(1)} ms\n`,
  );
  if (process.env.FIGURES) {
    writeResult('slow-clients', [
      {
        name: `p99 of pages beside ${clients} slow clients, as a multiple of quiet`,
        values: rounds.map(({ p99 }) => p99 / quiet.p99),
        goal: 'under 5',
      },
    ]);
  }
  expect(fewest).toBeGreaterThan(clients * 0.95);
  expect(worst).toBeLessThan(5 * quiet.p99);
});
