import { get } from 'node:http';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { endpoints } from '../src/apps/server/app.ts';
import { type MetricsServer, serveMetrics } from '../src/apps/server/serve-metrics.ts';
import { listKinds } from '../src/core/http/create-app.ts';
import { createMetrics } from '../src/core/http/metrics.ts';
import { contactPath } from '../src/features/messages/contract.ts';
import { signUpPath } from '../src/features/newsletter/contract.ts';
import { counters } from '../src/features.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';
import { readMetrics } from './harness/metrics.ts';
import { postJson } from './harness/requests.ts';
import { startSite, type TestSite } from './harness/site.ts';

describe.each(databaseUnderTest)('metrics on $name', async ({ name, create }) => {
  const database = await disposeAfterAll(create());
  const site = await disposeAfterAll(startSite({ ...database.env, METRICS_PORT: '0' }));
  const measuring = (await serveMetrics(site)) as MetricsServer;
  afterAll(() => measuring.close());

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    postJson(site.origin + path, body, headers);
  const serveWith = async (changed: Partial<TestSite>) =>
    (await serveMetrics({
      ...site,
      metrics: createMetrics(listKinds(endpoints), counters),
      ...changed,
    })) as MetricsServer;

  test('count requests and their results', async () => {
    const key = { 'idempotency-key': 'b0e0f9d4-9a5e-4b8a-8f5e-0d2a5c0f6a11' };
    for (const headers of [key, key, {}]) await post(contactPath, { message: 'Please call.' }, headers);
    await post(contactPath, { message: 'Another' }, key);
    await post(contactPath, {});
    await post(contactPath, { email: 'nobody' });
    await post(signUpPath, { email: 'zoe@example.com', form: 'home', wording: '' });
    await post(signUpPath, { email: 'zoe@nowhere', form: 'home', wording: '' });
    for (const path of ['/', '/contact', '/nowhere', '/api/secret-of-a-stranger'])
      await fetch(`${site.origin}${path}`);
    const { text, samples } = await scrape(measuring.url);
    const expected = {
      'messages_total{result="stored"}': 2,
      'messages_total{result="duplicate"}': 1,
      'messages_total{result="conflict"}': 1,
      'messages_total{result="empty"}': 1,
      'messages_total{result="invalid"}': 1,
      'messages_total{result="failed"}': 0,
      'newsletter_total{action="sign-up",result="done"}': 1,
      'newsletter_total{action="sign-up",result="invalid"}': 1,
      'requests_total{kind="contact",status="2xx"}': 4,
      'requests_total{kind="contact",status="4xx"}': 2,
      'requests_total{kind="page",status="2xx"}': 2,
      'requests_total{kind="not-found",status="4xx"}': 1,
      'request_seconds_count{kind="contact"}': 6,
      scrape_errors_total: 0,
    };
    for (const [name, sample] of Object.entries(expected))
      expect(samples.get(`wardhouse_${name}`), name).toBe(sample);
    // Three messages and a sign-up, each a group of its own; a known key is a group, too.
    for (const name of ['commit_group_size', 'commit_seconds', 'fsync_seconds'])
      expect(samples.get(`wardhouse_${name}_count`), name).toBeGreaterThanOrEqual(4);
    expect(text).toContain(`database="${name === 'SQLite' ? 'sqlite' : 'postgres'}"`);
    // Nothing that was sent is ever a label.
    expect(text).not.toMatch(/secret|nowhere|zoe/);
  });

  test('contain the queues, cached for a second', async () => {
    const now = new Date().toISOString();
    await site.store.receivers.pause('mail', 'no password', now);
    const { reportCounts } = site.store;
    const countQueues = vi.fn(reportCounts.countQueues);
    const apart = await serveWith({
      store: { ...site.store, reportCounts: { ...reportCounts, countQueues } },
    });
    await scrape(apart.url);
    const { samples } = await scrape(apart.url);
    await apart.close();
    expect(countQueues).toHaveBeenCalledOnce();
    const expected = {
      'queue_deliveries{receiver="sheet"}': 2,
      'queue_oldest_seconds{receiver="newsletter"}': 0,
      'failed_deliveries{receiver="mail"}': 0,
      'receiver_paused{receiver="mail"}': 1,
      'receiver_paused{receiver="sheet"}': 0,
    };
    for (const [name, sample] of Object.entries(expected))
      expect(samples.get(`wardhouse_${name}`), name).toBe(sample);
    expect(samples.get('wardhouse_queue_oldest_seconds{receiver="sheet"}')).toBeGreaterThan(0);
  });

  test('tell that the clock is wrong or the build is outdated', async () => {
    const off = { wardhouse_clock_skewed: 0, wardhouse_build_outdated: 0 };
    const read = async (url: string) => {
      const { samples } = await scrape(url);
      return Object.fromEntries(Object.keys(off).map(name => [name, samples.get(name)]));
    };
    expect(await read(measuring.url)).toEqual(off);
    const apart = await serveWith({
      clockGuard: { ...site.clockGuard, describeClockSkew: async () => '6 minutes behind' },
      describeOutdatedBuild: () => 'content has changed',
    });
    expect(await read(apart.url)).toEqual({ wardhouse_clock_skewed: 1, wardhouse_build_outdated: 1 });
    await apart.close();
  });

  test('omit the figures of a database that hangs, which is queried once', async () => {
    const countQueues = vi.fn(() => new Promise<never>(() => undefined));
    const store = { ...site.store, reportCounts: { ...site.store.reportCounts, countQueues } };
    const apart = await serveWith({ store });
    const [{ samples }] = await Promise.all([scrape(apart.url), scrape(apart.url)]);
    await apart.close();
    expect(countQueues).toHaveBeenCalledOnce();
    expect([...samples.keys()].filter(key => /queue|failed_deliveries|paused/.test(key))).toEqual([]);
    expect(samples.get('wardhouse_scrape_errors_total')).toBeGreaterThan(0);
    expect(samples.get('wardhouse_messages_total{result="stored"}')).toBe(0);
  });

  test('are served only for IP addresses, localhost and configured host names', async () => {
    const apart = await serveWith({ config: { ...site.config, metricsHosts: ['metrics.example.com'] } });
    const statusFor = (host: string) =>
      new Promise(done =>
        get(apart.url, { headers: { host }, agent: false }, answer => done(answer.resume().statusCode)),
      );
    const own = ['127.0.0.1', '[::1]:9464', 'localhost', 'Metrics.Example.com:9464'];
    const others = ['rebound.example', 'localhost.rebound.example', '127.0.0.1.rebound.example'];
    expect(await Promise.all(own.map(statusFor))).toEqual([200, 200, 200, 200]);
    expect(await Promise.all(others.map(statusFor))).toEqual([421, 421, 421]);
    await apart.close();
  });
});

async function scrape(url: string): Promise<{ text: string; samples: Map<string, number> }> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  return { text, samples: readMetrics(text) };
}
