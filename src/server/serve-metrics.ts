import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { letterLines, receiverNames } from '../deliveries/delivery.ts';
import { within } from '../lib/clock.ts';
import { errorFields } from '../lib/log.ts';
import { contentType } from '../lib/metrics.ts';
import type { Wired } from './wire.ts';

/** Figures are for this machine alone; whoever wants them elsewhere puts something in front that asks who it is. */
export const metricsHost = '127.0.0.1';

const metricsPath = '/metrics';

export type Measuring = { address: string; close(): Promise<void> };

type Measured = Pick<Wired, 'config' | 'metrics' | 'store' | 'lowSpace' | 'clock' | 'log'>;

/** `GET /metrics` on a port of its own, where the settings name one; 0 is any that is free. */
export async function serveMetrics(wired: Measured): Promise<Measuring | undefined> {
  const { config, log } = wired;
  if (config.metricsPort === undefined) return undefined;
  const scrape = createScrape(wired);
  const server = createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (request, response) => {
    // A page of another site may have a name that leads here (DNS rebinding); its own requests then say that name.
    if (!isKnownHost(request.headers.host ?? '', config.metricsHosts)) {
      return void response.writeHead(421, headers).end();
    }
    answer(request, response, scrape.write).catch(error => {
      log.error('metrics failed', errorFields(error));
      response.destroy();
    });
  });
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(config.metricsPort, metricsHost, done);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://${metricsHost}:${port}${metricsPath}`,
    async close() {
      scrape.stop();
      const closed = new Promise(done => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** An IP address, localhost, or a name of the settings, with any port. */
function isKnownHost(host: string, names: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || name === 'localhost' || names.includes(name);
}

async function answer(
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  write: () => Promise<string>,
): Promise<void> {
  if (url.split('?', 1)[0] !== metricsPath) return void response.writeHead(404, headers).end();
  if (method !== 'GET' && method !== 'HEAD') {
    return void response.writeHead(405, { ...headers, Allow: 'GET, HEAD' }).end();
  }
  const text = await write();
  response.writeHead(200, {
    ...headers,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(method === 'HEAD' ? undefined : text);
}

/** What is known only when somebody looks. */
function createScrape(wired: Measured) {
  const { registry } = wired.metrics;
  const tellQueues = createQueueFigures(wired);
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs });
  loop.enable();
  const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'));
  const database = wired.store.isShared ? 'postgres' : 'sqlite';
  registry.cell('wardhouse_build_info', { version, node: process.versions.node, database }).value = 1;
  registry.cell('process_start_time_seconds').value = Math.round(performance.timeOrigin) / 1000;
  registry.cell('wardhouse_scrape_errors_total');

  function tellLoop(): void {
    // Nothing was sampled between two looks in quick succession.
    const at = (ns: number) => (loop.count === 0 ? 0 : Math.max(0, ns / 1e6 - loopResolutionMs) / 1000);
    const figures = { p50: loop.percentile(50), p99: loop.percentile(99), max: loop.max };
    for (const [name, ns] of Object.entries(figures)) {
      registry.cell('wardhouse_event_loop_delay_seconds', { at: name }).value = at(ns);
    }
    loop.reset();
  }

  function tellProcess(): void {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    registry.cell('process_cpu_seconds_total').value = (user + system) / 1e6;
    registry.cell('process_resident_memory_bytes').value = rss;
    registry.cell('process_heap_bytes').value = heapUsed;
  }

  async function tellDisk(): Promise<void> {
    registry.cell('wardhouse_disk_below_floor').value = Number((await wired.lowSpace()) !== undefined);
  }

  return {
    async write() {
      await tellQueues();
      await tellDisk();
      tellLoop();
      tellProcess();
      return registry.write();
    },
    stop: () => loop.disable(),
  };
}

/** A timer that is due so often; what it is late by is the delay. */
const loopResolutionMs = 10;
const keptMs = 1000;
const patienceMs = 1000;
const receivers: readonly string[] = [...receiverNames, ...letterLines];

/**
 * Asks the database at most once a second, and not again before it has answered: one that hangs holds up neither whoever
 * looks nor itself. Figures that it does not tell are left out.
 */
function createQueueFigures({ metrics: { registry }, store, clock, log }: Measured): () => Promise<void> {
  let asked: { at: number; answer: ReturnType<typeof ask>; isOpen: boolean } | undefined;

  async function ask() {
    const queues = await store.figures.queues(receivers);
    const { outbox } = store;
    return { queues, paused: await outbox.listPaused(), failing: await outbox.listFailing() };
  }

  function askAnew(now: number) {
    const question = { at: now, answer: ask(), isOpen: true };
    const end = () => {
      question.isOpen = false;
    };
    question.answer.then(end, end);
    return question;
  }

  return async () => {
    const now = performance.now();
    if (!asked || (!asked.isOpen && now - asked.at > keptMs)) asked = askAnew(now);
    for (const name of queueMetrics) registry.clear(name);
    try {
      const { queues, paused, failing } = await within(patienceMs, asked.answer);
      for (const { receiver, waiting, oldest, dead } of queues) {
        const age = oldest === undefined ? 0 : (clock.now().getTime() - Date.parse(oldest)) / 1000;
        const isIn = (list: { name: string }[]) => Number(list.some(({ name }) => name === receiver));
        const figures = [waiting, Math.max(0, age), dead, isIn(paused), isIn(failing)];
        for (const [index, name] of queueMetrics.entries()) {
          registry.cell(name, { receiver }).value = figures[index] as number;
        }
      }
    } catch (error) {
      registry.cell('wardhouse_scrape_errors_total').value += 1;
      log.warn('queues not told', errorFields(error));
    }
  };
}

const queueMetrics = [
  'wardhouse_queue_deliveries',
  'wardhouse_queue_oldest_seconds',
  'wardhouse_dead_deliveries',
  'wardhouse_receiver_paused',
  'wardhouse_receiver_failing',
] as const;
