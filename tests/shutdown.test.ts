import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openStore } from '../src/store/open-store.ts';
import { compileCacheSettings } from './harness/command.ts';
import { databases, databaseUnderTest } from './harness/databases.ts';
import { copyProject } from './harness/process.ts';
import { testConfig } from './harness/site.ts';

describe.each(databaseUnderTest)('SIGTERM on $name', ({ create }) => {
  test('under load finishes requests in progress, has stored every message answered with 200, and exits with 0', {
    timeout: 60_000,
  }, async () => {
    const database = await create();
    await using copy = copyProject();
    const server = copy.start(database.env);
    const address = await server.address();

    const references: string[] = [];
    const busy = new Set<number>();
    const clients = Array.from({ length: 20 }, async (_, client) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      // Each client keeps its connection until a response has Connection: close.
      for (let isLast = false; !isLast; ) {
        const answer = await post(`${address}/api/contact`, agent);
        expect(answer.status).toBe(200);
        references.push(answer.reference);
        busy.add(client);
        isLast = answer.isLast;
      }
      agent.destroy();
    });
    await expect.poll(() => busy.size, { timeout: 15_000 }).toBe(20);
    const requestedAt = performance.now();
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(performance.now() - requestedAt).toBeLessThan(10_000);
    await Promise.all(clients);
    const [counted] = await database.query('select count(*) as n from messages');
    expect(Number(counted?.n)).toBe(references.length);

    const store = await openStore({ ...testConfig(database.env), onError: () => undefined });
    const stored = await Promise.all(references.map(reference => store.messages.get(reference)));
    expect(stored.every(row => row?.message === 'under load')).toBe(true);
    await store.close();
    await database.remove();
  });
});

test.skipIf(process.platform === 'win32')(
  'npm start ends with npm, although its shell passes no signal on',
  async () => {
    await using copy = copyProject();
    // A group of its own, so that nothing of it outlives the test.
    const npm = spawn('npm', ['start'], {
      cwd: copy.folder,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: copy.folder,
        ...compileCacheSettings(copy.folder),
        PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    try {
      let printed = '';
      npm.stdout.on('data', chunk => {
        printed += chunk;
      });
      const address = () => /The site is at ([^\s"]+)/.exec(printed)?.[1];
      await expect.poll(address, { timeout: 15_000 }).toBeDefined();
      const health = () =>
        fetch(`${address()}/healthz`).then(
          ({ status }) => status,
          () => 'gone',
        );
      expect(await health()).toBe(200);
      npm.kill('SIGTERM');
      await expect.poll(health, { timeout: 10_000 }).toBe('gone');
    } finally {
      try {
        process.kill(-Number(npm.pid), 'SIGKILL');
      } catch {
        // The group has ended, as it should.
      }
    }
  },
);

// These two mostly wait, and wait together.
test.concurrent('a database that hangs blocks neither /readyz, nor a message, nor the shutdown', {
  timeout: 40_000,
}, async ({ expect }) => {
  const database = await (databases[1] as (typeof databases)[number]).create();
  await using copy = copyProject();
  const server = copy.start(database.env);
  const address = await server.address();
  const other = new pg.Client({ connectionString: database.env.DATABASE_URL });
  await other.connect();
  await other.query('begin; lock table messages, readiness in access exclusive mode');
  expect((await fetch(`${address}/readyz`)).status).toBe(503);
  const headers = { 'content-type': 'application/json' };
  const posted = await fetch(`${address}/api/contact`, { method: 'POST', headers, body: '{"message":"x"}' });
  expect(posted.status).toBe(503);
  const waiting = fetch(`${address}/api/contact`, { method: 'POST', headers, body: '{"message":"y"}' });
  const requestedAt = performance.now();
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(performance.now() - requestedAt).toBeLessThan(10_000);
  expect((await waiting).status).toBe(503);
  await other.end();
  await database.remove();
});

test.concurrent('a client that never finishes its request does not delay the shutdown', {
  timeout: 40_000,
}, async ({ expect }) => {
  await using copy = copyProject();
  const server = copy.start();
  const stuck = request(`${await server.address()}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '100' },
  });
  const cut = new Promise(done => stuck.once('error', done).once('response', done));
  await new Promise(done => stuck.write('{', done));
  server.child.kill('SIGTERM');
  const requestedAt = performance.now();
  expect(await server.ended).toBe(0);
  expect(performance.now() - requestedAt).toBeLessThan(10_000);
  await cut;
});

test('with DRAIN_MS /readyz is 503 at once while requests are still accepted', async () => {
  await using copy = copyProject();
  const server = copy.start({ DRAIN_MS: '1200' });
  const address = await server.address();
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  server.child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { interval: 20 }).toBe(503);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  expect((await fetch(`${address}/contact`)).status).toBe(200);
  expect(await server.ended).toBe(0);
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
});

type Posted = { status: number; reference: string; isLast: boolean };

function post(address: string, agent: Agent): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(address, { method: 'POST', agent, headers }, async response => {
      const { reference } = JSON.parse(Buffer.concat(await response.toArray()).toString());
      resolve({
        status: response.statusCode ?? 0,
        reference,
        isLast: response.headers.connection === 'close',
      });
    });
    sent.on('error', reject).end(JSON.stringify({ message: 'under load' }));
  });
}

test('a closed log pipe does not end the process', async () => {
  await using copy = copyProject();
  const server = copy.start();
  const address = await server.address();
  server.child.stdout?.destroy();
  for (let index = 0; index < 5; index += 1) {
    const response = await fetch(`${address}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(200);
  }
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});
