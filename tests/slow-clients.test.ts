import { expect, test } from 'vitest';
import { startSite } from './harness/site.ts';
import { measureVisits, openSlowClients } from './harness/slow-clients.ts';

test('more slow clients than the connection limit do not keep visitors out', async () => {
  await using site = await startSite({ MAX_CONNECTIONS: '40' });
  using _slow = await openSlowClients(Number(new URL(site.origin).port), 60, { only: 1, againMs: 100 });
  await measureVisits(site.origin, 100);
  expect(site.lines.filter(line => line.includes('connection limit near'))).toHaveLength(1);
});
