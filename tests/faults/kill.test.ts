import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { databases } from '../harness/databases.ts';
import { copyProject } from '../harness/process.ts';
import { testConfig } from '../harness/site.ts';

const rounds = 20;

describe.each(databases)('kill -9 under load on $name', ({ name, create }) => {
  test(`loses nothing that was answered with 200, in ${rounds} rounds`, async () => {
    const database = await create();
    await using copy = copyProject();
    const acknowledged: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const server = copy.start(database.env);
      const address = await server.address();
      const clients = Array.from({ length: 16 }, () => postUntilCut(address, acknowledged));
      await new Promise(done => setTimeout(done, 200 + Math.random() * 400));
      server.child.kill('SIGKILL');
      await Promise.all(clients);
      await server.ended;
    }
    expect(acknowledged.length).toBeGreaterThan(rounds * 10);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    const store = await openStore({ ...testConfig(database.env), onError: () => undefined });
    for (const reference of acknowledged) expect(await store.messages.get(reference)).toBeDefined();
    await store.close();
    if (name === 'SQLite') {
      const file = new DatabaseSync(join(database.dataDir, 'wardhouse.sqlite'));
      expect(file.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      file.close();
    }
    await database.remove();
    process.stdout.write(`${name}: ${acknowledged.length} acknowledged, 0 lost\n`);
  });
});

async function postUntilCut(address: string, acknowledged: string[]): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(`${address}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ message: 'before the kill' }),
      });
      if (response.status !== 200) return;
      const { reference } = (await response.json()) as { reference: string };
      acknowledged.push(reference);
    } catch {
      // The connection was cut: this message was not acknowledged, and nothing is promised of it.
      return;
    }
  }
}
