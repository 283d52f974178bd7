import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { resolve } from 'node:path';
import { Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { errorFields } from '../../core/log.ts';
import { features, receiverTypes } from '../../features.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Services } from './wire.ts';

export const metricsHost = '127.0.0.1';

const metricsPath = '/metrics';
const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

export type MetricsServer = { url: string; close(): Promise<void> };

type MetricsSources = Pick<
  Services,
  | 'config'
  | 'metrics'
  | 'store'
  | 'started'
  | 'checkDiskSpace'
  | 'clock'
  | 'clockGuard'
  | 'describeOutdatedBuild'
  | 'log'
>;

export async function serveMetrics(services: MetricsSources): Promise<MetricsServer | undefined> {
  const { config, log, metrics } = services;
  if (config.metricsPort === undefined) return undefined;
  addScrapedMetrics(services);
  const server = createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (request, response) => {
    // DNS rebinding: a page of another site may have a name that leads here, and sends that name as Host.
    if (!isKnownHost(request.headers.host ?? '', config.metricsHosts)) {
      return void response.writeHead(421, headers).end();
    }
    handleRequest(request, response, metrics.registry).catch(error => {
      log.error('metrics failed', errorFields(error));
      response.destroy();
    });
  });
  server.listen(config.metricsPort, metricsHost);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${metricsHost}:${port}${metricsPath}`,
    async close() {
      const closed = new Promise(done => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

function isKnownHost(host: string, names: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || name === 'localhost' || names.includes(name);
}

async function handleRequest(
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  registry: Registry,
): Promise<void> {
  if (url.split('?', 1)[0] !== metricsPath) return void response.writeHead(404, headers).end();
  if (method !== 'GET' && method !== 'HEAD') {
    return void response.writeHead(405, { ...headers, Allow: 'GET, HEAD' }).end();
  }
  const text = await registry.metrics();
  const length = Buffer.byteLength(text);
  response.writeHead(200, { ...headers, 'Content-Type': registry.contentType, 'Content-Length': length });
  response.end(method === 'HEAD' ? undefined : text);
}

export function addScrapedMetrics(sources: MetricsSources): void {
  const { registry } = sources.metrics;
  collectDefaultMetrics({ register: registry });
  addBuildInfo(sources);
  for (const feature of features) {
    for (const { name, help, read } of feature.gauges ?? [])
      addGauge(registry, name, help, () => read(sources.started.get(feature)));
  }
  addReasonGauges(sources);
  addQueueGauges(sources);
}

function addBuildInfo({ metrics, store }: MetricsSources): void {
  const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8'));
  const labels = { version, node: process.versions.node, database: store.isPostgres ? 'postgres' : 'sqlite' };
  const labelNames = Object.keys(labels);
  const info = { name: 'wardhouse_build_info', help: 'Always 1.', labelNames, registers: [metrics.registry] };
  new Gauge(info).set(labels, 1);
}

function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
}

/** 1 while there is a reason. */
function addReasonGauges(sources: MetricsSources): void {
  const { metrics, checkDiskSpace, clockGuard, describeOutdatedBuild } = sources;
  const add = (name: string, help: string, findReason: () => Reason | Promise<Reason>) =>
    addGauge(metrics.registry, name, help, async () => Number((await findReason()) !== undefined));
  add('wardhouse_low_disk_space', '1 while less than MIN_FREE_DISK_MB is free.', checkDiskSpace);
  add('wardhouse_clock_skewed', '1 while deliveries are paused because the clock is wrong.', () =>
    clockGuard.describeClockSkew(),
  );
  add(
    'wardhouse_build_outdated',
    '1 while content, sources or settings differ from the served build.',
    describeOutdatedBuild,
  );
}

type Reason = string | undefined;

function addQueueGauges(sources: MetricsSources): void {
  const { metrics, clock } = sources;
  const registers = [metrics.registry];
  const readQueues = createQueueReader(sources);
  const age = (since: string) => Math.max(0, clock.now().getTime() - Date.parse(since)) / 1000;
  function add(name: string, help: string, read: (queue: Queue) => number | boolean): void {
    new Gauge({
      name,
      help,
      labelNames: ['receiver'],
      registers,
      async collect() {
        const queues = await readQueues();
        this.reset();
        for (const queue of queues) this.set({ receiver: queue.receiver }, Number(read(queue)));
      },
    });
  }
  add('wardhouse_queue_deliveries', 'Deliveries not settled yet.', q => q.waiting);
  add('wardhouse_queue_oldest_seconds', 'Age of the oldest.', q => (q.oldest ? age(q.oldest) : 0));
  add('wardhouse_failed_deliveries', 'Deliveries that failed permanently.', q => q.failed);
  add('wardhouse_receiver_paused', '1 until its settings are right.', q => q.isPaused);
}

/** All gauges of one scrape share an answer; without one, they have no series. */
function createQueueReader({ metrics, store, log }: MetricsSources): () => Promise<Queue[]> {
  const errors = new Counter({
    name: 'wardhouse_scrape_errors_total',
    help: 'Times the database did not answer about the queues in time.',
    registers: [metrics.registry],
    collect: async () => void (await readQueues()),
  });
  let last = { at: -Infinity, queues: Promise.resolve<Queue[]>([]) };

  function readQueues(): Promise<Queue[]> {
    const at = performance.now();
    if (at - last.at < 1000) return last.queues;
    const queues = withTimeout(1000, readQueueStates(store)).catch(error => {
      errors.inc();
      log.warn('queue statistics not read', errorFields(error));
      return [];
    });
    last = { at, queues };
    return queues;
  }
  return readQueues;
}

type Queue = Awaited<ReturnType<typeof readQueueStates>>[number];

async function readQueueStates({ reportCounts, receivers }: Services['store']) {
  const queues = await reportCounts.countQueues(receiverTypes.map(({ name }) => name));
  const paused = (await receivers.listPaused()).map(({ name }) => name);
  return queues.map(queue => ({ ...queue, isPaused: paused.includes(queue.receiver) }));
}
