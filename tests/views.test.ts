import { expect, test } from 'vitest';
import { viewsPath } from '../src/api/contract.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { copyProject } from './harness/process.ts';

const headers = { 'content-type': 'text/plain', 'user-agent': 'Mozilla/5.0 Chrome/150.0 Safari/537.36' };

test('two processes that end at the same moment leave the sum of what both have counted', async () => {
  const database = (await databases[1]?.create()) as TestDatabase;
  await using copy = copyProject();
  const servers = [copy.start(database.env), copy.start(database.env)];
  const addresses = await Promise.all(servers.map(server => server.address()));
  const told = addresses.flatMap((address, index) =>
    Array.from({ length: 50 + index }, () =>
      fetch(`${address}${viewsPath}`, { method: 'POST', headers, body: 'view\n/faq\nsearch.example' }),
    ),
  );
  for (const answer of await Promise.all(told)) expect(answer.status).toBe(204);
  expect(await database.query('select * from views')).toEqual([]);
  for (const { child } of servers) child.kill('SIGTERM');
  expect(await Promise.all(servers.map(({ ended }) => ended))).toEqual([0, 0]);
  expect(await database.query('select path, referrer, count from views')).toEqual([
    { path: '/faq', referrer: 'search.example', count: 101 },
  ]);
  await database.remove();
});
