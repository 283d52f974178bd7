import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import pg from 'pg';
import { test } from 'vitest';
import { formatErrorResponse } from '../src/core/http/build-error-response.ts';
import { headerSettings, headersFor } from '../src/core/http/headers.ts';
import { compileCacheSettings } from './harness/command.ts';
import { databases, databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { copyProject } from './harness/process.ts';
import { sendRaw } from './harness/raw-http.ts';
import { startSite, testConfig } from './harness/site.ts';
import { openTestStore } from './harness/stores.ts';

const headers = { 'content-type': 'application/json' };

// These mostly wait, and wait together.
test.concurrent.for(databaseUnderTest)(
  'SIGTERM on $name, under load and with a closed log pipe, loses nothing answered with 200',
  { timeout: 60_000 },
  async ({ create }, { expect }) => {
    await using database = await create();
    await using copy = copyProject();
    const server = copy.start({ ...database.env, DRAIN_MS: '1200' });
    const address = await server.address();
    server.child.stdout?.destroy();
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
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    server.child.kill('SIGTERM');
    // While it drains it is not ready, and still answers.
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { interval: 20 }).toBe(503);
    for (const path of ['/healthz', '/contact']) expect((await fetch(address + path)).status).toBe(200);
    expect(await server.ended).toBe(0);
    await Promise.all(clients);
    await expect(fetch(`${address}/healthz`)).rejects.toThrow();

    const [counted] = await database.query('select count(*) as n from messages');
    expect(Number(counted?.n)).toBe(references.length);
    const store = await openTestStore({ ...testConfig(database.env), onError: () => undefined });
    const stored = await Promise.all(references.map(reference => store.messages.get(reference)));
    expect(stored.every(row => row?.message === 'under load')).toBe(true);
    await store.close();
  },
);

type Posted = { status: number; reference: string; isLast: boolean };

function post(address: string, agent: Agent): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method: 'POST', agent, headers }, async response => {
      const { reference } = JSON.parse(Buffer.concat(await response.toArray()).toString());
      const isLast = response.headers.connection === 'close';
      resolve({ status: response.statusCode ?? 0, reference, isLast });
    });
    sent.on('error', reject).end(JSON.stringify({ message: 'under load' }));
  });
}

test
  .skipIf(process.platform === 'win32')
  .concurrent('npm start ends with npm, although its shell passes no signal on', async ({ expect }) => {
    await using copy = copyProject();
    // A group of its own, so that nothing of it outlives the test.
    const npm = spawn('npm', ['start'], {
      cwd: copy.folder,
      env: {
        ...{ PATH: process.env.PATH ?? '', HOME: copy.folder, PORT: '0' },
        ...compileCacheSettings(copy.folder),
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
      npm.kill('SIGTERM');
      const health = () => fetch(`${address()}/healthz`).then(({ status }) => status);
      await expect.poll(() => health().catch(() => 'gone'), { timeout: 10_000 }).toBe('gone');
    } finally {
      try {
        process.kill(-Number(npm.pid), 'SIGKILL');
      } catch {
        // The group has ended, as it should.
      }
    }
  });

test.concurrent('a database that hangs blocks neither /readyz, nor a message, nor the shutdown', async ({
  expect,
}) => {
  await using database = (await databases[1]?.create()) as TestDatabase;
  const site = await startSite(database.env);
  const other = new pg.Client({ connectionString: database.env.DATABASE_URL });
  await other.connect();
  await other.query('begin; lock table messages, readiness in access exclusive mode');
  const posted = fetch(`${site.origin}/api/contact`, { method: 'POST', headers, body: '{"message":"x"}' });
  expect((await fetch(`${site.origin}/readyz`)).status).toBe(503);
  const requestedAt = performance.now();
  await site[Symbol.asyncDispose]();
  expect(performance.now() - requestedAt).toBeLessThan(10_000);
  expect((await posted).status).toBe(503);
  await other.end();
}, 60_000);

test.concurrent('a client that is stuck does not block the shutdown', async ({ expect }) => {
  const site = await startSite();
  const stuck = connect(Number(new URL(site.origin).port), '127.0.0.1').resume();
  stuck.write('POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{');
  const cut = new Promise(done => stuck.once('error', done).once('close', done));
  // What comes later has been answered: the server has read the first part.
  expect((await fetch(`${site.origin}/healthz`)).status).toBe(200);
  const requestedAt = performance.now();
  await site[Symbol.asyncDispose]();
  expect(performance.now() - requestedAt).toBeLessThan(10_000);
  await cut;
}, 60_000);

test.concurrent('a request that takes too long to arrive gets 408, with the headers of the API', async ({
  expect,
}) => {
  await using site = await startSite();
  const port = Number(new URL(site.origin).port);
  const { text } = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: www.', 1, 8000);
  expect(text).toBe(formatErrorResponse(408, headersFor('api', headerSettings(site.config))));
}, 60_000);
