import { Agent, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactPath, newsletterPath } from '../src/api/contract.ts';
import { createMetrics } from '../src/server/metrics.ts';
import { type MetricsServer, serveMetrics } from '../src/server/serve-metrics.ts';
import { databases, databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { readMetrics } from './harness/metrics.ts';
import { copyProject, type StartedProcess } from './harness/process.ts';
import { startSite, type TestSite } from './harness/site.ts';

describe.each(databaseUnderTest)('metrics on $name', ({ name, create }) => {
  let database: TestDatabase;
  let site: TestSite;
  let measuring: MetricsServer;

  beforeAll(async () => {
    database = await create();
    site = await startSite({ ...database.env, METRICS_PORT: '0' });
    measuring = (await serveMetrics(site)) as MetricsServer;
  });
  afterAll(async () => {
    await measuring.close();
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${site.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  test('count requests and their results', async () => {
    const key = { 'idempotency-key': 'b0e0f9d4-9a5e-4b8a-8f5e-0d2a5c0f6a11' };
    for (const headers of [key, key, {}]) await post(contactPath, { message: 'Please call.' }, headers);
    await post(contactPath, { message: 'Another' }, key);
    await post(contactPath, {});
    await post(contactPath, { email: 'nobody' });
    await post(newsletterPath, { email: 'zoe@example.com', form: 'home', wording: '' });
    await post(newsletterPath, { email: 'zoe@nowhere', form: 'home', wording: '' });
    for (const path of ['/', '/contact', '/Contact', '/nowhere', '/icon.svg', '/api/secret-of-a-stranger']) {
      await fetch(`${site.origin}${path}`, { redirect: 'manual' });
    }
    await fetch(`${site.origin}/contact`, { method: 'DELETE' });
    const { text, samples } = await scrape(measuring.address);
    const expected = {
      'wardhouse_messages_total{result="stored"}': 2,
      'wardhouse_messages_total{result="repeated"}': 1,
      'wardhouse_messages_total{result="conflict"}': 1,
      'wardhouse_messages_total{result="empty"}': 1,
      'wardhouse_messages_total{result="refused"}': 1,
      'wardhouse_messages_total{result="failed"}': 0,
      'wardhouse_newsletter_total{action="sign-up",result="done"}': 1,
      'wardhouse_newsletter_total{action="sign-up",result="refused"}': 1,
      'wardhouse_requests_total{kind="contact",status="2xx"}': 4,
      'wardhouse_requests_total{kind="contact",status="4xx"}': 2,
      'wardhouse_requests_total{kind="page",status="2xx"}': 2,
      'wardhouse_requests_total{kind="page",status="3xx"}': 1,
      'wardhouse_requests_total{kind="page",status="4xx"}': 1,
      'wardhouse_requests_total{kind="asset",status="2xx"}': 1,
      'wardhouse_requests_total{kind="not-found",status="4xx"}': 1,
      'wardhouse_requests_total{kind="other",status="4xx"}': 1,
      'wardhouse_request_seconds_count{kind="contact"}': 6,
      wardhouse_scrape_errors_total: 0,
    };
    expect(pick(samples, Object.keys(expected))).toEqual(expected);
    // Three messages and a sign-up, each a group of its own; a known key is a group, too.
    expect(samples.get('wardhouse_commit_group_size_count')).toBeGreaterThanOrEqual(4);
    expect(samples.get('wardhouse_commit_seconds_count')).toBe(
      samples.get('wardhouse_commit_group_size_count'),
    );
    expect(samples.get('wardhouse_fsync_seconds_count')).toBeGreaterThanOrEqual(4);
    expect(samples.get('wardhouse_fsync_seconds_sum')).toBeGreaterThan(0);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(samples.get('process_start_time_seconds')).toBeGreaterThan(1.7e9);
    expect(samples.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
    expect(text).toContain(`database="${name === 'SQLite' ? 'sqlite' : 'postgres'}"`);
    // Nothing that was sent is ever a label.
    expect(text).not.toMatch(/secret|nowhere|zoe/);
  });

  test('contain the queues, cached for a second', async () => {
    const created = new Date(Date.now() - 3_600_000).toISOString();
    await database.query(`update deliveries set created_at = '${created}' where receiver = 'sheet'`);
    await database.query(
      `update deliveries set state = 'failed' where receiver = 'mail' and reference = (select min(reference) from deliveries)`,
    );
    await site.store.receivers.pause('mail', 'no password', created);
    await site.store.receivers.countRefusal({ receiver: 'mail', why: 'no', now: created, failingAfter: 3 });
    const refusal = { receiver: 'webhook', why: 'answered 403', now: created, failingAfter: 2 };
    for (const _ of [1, 2]) await site.store.receivers.countRefusal(refusal);
    const { reportCounts } = site.store;
    let queries = 0;
    const countQueues = (names: readonly string[]) => {
      queries += 1;
      return reportCounts.countQueues(names);
    };
    const store = { ...site.store, reportCounts: { ...reportCounts, countQueues } };
    const apart = (await serveMetrics({ ...site, metrics: createMetrics(), store })) as MetricsServer;
    await scrape(apart.address);
    const { samples } = await scrape(apart.address);
    await apart.close();
    expect(queries).toBe(1);
    const receiver = (one: string) => `{receiver="${one}"}`;
    expect(samples.get(`wardhouse_queue_deliveries${receiver('sheet')}`)).toBe(2);
    expect(samples.get(`wardhouse_queue_deliveries${receiver('mail')}`)).toBe(1);
    expect(samples.get(`wardhouse_queue_deliveries${receiver('webhook')}`)).toBe(0);
    expect(samples.get(`wardhouse_queue_oldest_seconds${receiver('sheet')}`)).toBeGreaterThanOrEqual(3600);
    expect(samples.get(`wardhouse_queue_oldest_seconds${receiver('mail')}`)).toBeLessThan(3600);
    expect(samples.get(`wardhouse_queue_oldest_seconds${receiver('newsletter')}`)).toBe(0);
    expect(samples.get(`wardhouse_failed_deliveries${receiver('mail')}`)).toBe(1);
    expect(samples.get(`wardhouse_receiver_paused${receiver('mail')}`)).toBe(1);
    expect(samples.get(`wardhouse_receiver_paused${receiver('sheet')}`)).toBe(0);
    expect(samples.get(`wardhouse_receiver_failing${receiver('webhook')}`)).toBe(1);
    expect(samples.get(`wardhouse_receiver_failing${receiver('mail')}`)).toBe(0);
  });
});

describe('the port for metrics', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ METRICS_PORT: '0' });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  test('omits the figures of a database that hangs, and queries it once', async () => {
    let queries = 0;
    const countQueues = () => {
      queries += 1;
      return new Promise<never>(() => undefined);
    };
    const store = { ...site.store, reportCounts: { ...site.store.reportCounts, countQueues } };
    const apart = (await serveMetrics({ ...site, metrics: createMetrics(), store })) as MetricsServer;
    const [{ samples }] = await Promise.all([scrape(apart.address), scrape(apart.address)]);
    await apart.close();
    expect(queries).toBe(1);
    expect([...samples.keys()].filter(key => /queue|failed_deliveries|paused/.test(key))).toEqual([]);
    expect(samples.get('wardhouse_scrape_errors_total')).toBeGreaterThan(0);
    expect(samples.get('wardhouse_messages_total{result="stored"}')).toBe(0);
  });

  test('reports when the disk has less space than the minimum', async () => {
    const logged: unknown[] = [];
    for (const why of [undefined, '1 MB is free']) {
      const apart = (await serveMetrics({
        ...site,
        metrics: createMetrics(),
        lowSpace: async () => why,
      })) as MetricsServer;
      logged.push((await scrape(apart.address)).samples.get('wardhouse_low_disk_space'));
      await apart.close();
    }
    expect(logged).toEqual([0, 1]);
  });

  test('answers only for IP addresses, localhost and configured host names', async () => {
    const config = { ...site.config, metricsHosts: ['metrics.example.com'] };
    const apart = (await serveMetrics({ ...site, metrics: createMetrics(), config })) as MetricsServer;
    const { port } = new URL(apart.address);
    const statusFor = (host: string) =>
      new Promise(done =>
        get(apart.address, { headers: { host }, agent: false }, answer => done(answer.resume().statusCode)),
      );
    for (const host of ['127.0.0.1', '[::1]', 'localhost', 'Metrics.Example.com']) {
      expect([host, await statusFor(host), await statusFor(`${host}:${port}`)]).toEqual([host, 200, 200]);
    }
    for (const host of ['rebound.example', 'localhost.rebound.example', '127.0.0.1.rebound.example', '1']) {
      expect([host, await statusFor(host)]).toEqual([host, 421]);
    }
    await apart.close();
  });

  test('answers no other path, and closes idle connections', async () => {
    const apart = (await serveMetrics(site)) as MetricsServer;
    const { origin } = new URL(apart.address);
    expect((await fetch(`${origin}/`)).status).toBe(404);
    const refused = await fetch(apart.address, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(apart.address, { method: 'HEAD' })).headers.get('content-type')).toMatch(
      /^text\/plain; version=0\.0\.4/,
    );
    const agent = new Agent({ keepAlive: true });
    await new Promise(done => get(apart.address, { agent }, answer => answer.resume().on('end', done)));
    await apart.close();
    agent.destroy();
    await expect(fetch(apart.address)).rejects.toThrow();
  });
});

test('a server and a worker have their own metrics; a port in use is one clear line', {
  timeout: 60_000,
}, async () => {
  const database = (await databases[1]?.create()) as TestDatabase;
  await using copy = copyProject();
  const env = { ...database.env, METRICS_PORT: '0' };
  const server = copy.start({ ...env, OUTBOX: 'separate' });
  const worker = copy.start(env, { script: 'src/cli/worker.ts' });
  const address = await server.address();
  const [ofServer, ofWorker] = await Promise.all([metricsAddress(server), metricsAddress(worker)]);
  const { port } = new URL(ofServer);
  const late = copy.start({ ...env, METRICS_PORT: port }, { script: 'src/cli/worker.ts' });
  await fetch(`${address}${contactPath}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Please call.' }),
  });
  expect((await scrape(ofServer)).samples.get('wardhouse_messages_total{result="stored"}')).toBe(1);
  await expect
    .poll(async () => {
      const { samples } = await scrape(ofWorker);
      return samples.get('wardhouse_deliveries_total{receiver="sheet",result="delivered"}');
    })
    .toBe(1);
  expect(await late.ended).toBe(1);
  expect(late.output().trim().split('\n').at(-1)).toBe(
    `error: port ${port} is in use. Stop the other process or change METRICS_PORT.`,
  );
  for (const { child } of [server, worker]) child.kill('SIGTERM');
  expect(await Promise.all([server.ended, worker.ended])).toEqual([0, 0]);
  await database.remove();
});

async function scrape(address: string): Promise<{ text: string; samples: Map<string, number> }> {
  const answer = await fetch(address);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  return { text, samples: readMetrics(text) };
}

async function metricsAddress(started: StartedProcess): Promise<string> {
  const find = () => /Metrics are at ([^\s"]+)/.exec(started.output())?.[1];
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  return find() as string;
}

function pick(samples: Map<string, number>, names: string[]): Record<string, number | undefined> {
  return Object.fromEntries(names.map(name => [name, samples.get(name)]));
}
