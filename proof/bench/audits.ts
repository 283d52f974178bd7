import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { auditApiPath, contactPath } from '../../src/api/contract.ts';
import { queueLimits } from '../../src/domain/audits/audit-queue.ts';
import { loadEnvironment } from '../../src/server/config.ts';
import type { Figure } from '../figures.ts';
import { undisturbed } from './audits/undisturbed.ts';
import { startOnPrintedPort } from './child.ts';
import { ensureBuild } from './ensure-build.ts';
import { parseNumber, print } from './options.ts';

const root = resolve(import.meta.dirname, '../..');
const kinds = ['page', 'post'] as const;
type Kind = (typeof kinds)[number];
/** In milliseconds. */
type Latencies = Record<Kind, number[]>;
const conditions = ['quiet', 'busy'] as const;

/** Requests at a steady pace, in turns without audits and while as many run and wait as one process allows. */
export async function benchAudits(args: string[]): Promise<Figure[]> {
  const number = (name: string, value: string) => parseNumber(name, value, 1, 100);
  const options = {
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '10' },
  } as const;
  const { values } = parseArgs({ args, options });
  const [rounds, seconds] = [number('rounds', values.rounds), number('seconds', values.seconds)];
  await ensureBuild(print);
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(root, '.cache/bench-audits-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const names = Array.from({ length: 5000 }, (_, index) => `audited-${index}.com`);
  const server = await startOnPrintedPort(
    // Not pinned: the thread of the audits may have a core of its own.
    { prefix: [] },
    [process.execPath, 'proof/bench/audits/server.ts', JSON.stringify({ names, delayMs: 100 })],
    {
      cwd: root,
      env: {
        ...loadEnvironment(),
        ...{ PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, DATABASE_URL: '', SITE_URL: '' },
        ...{ RATE_LIMIT: 'off', LOG_LEVEL: 'warn', DRAIN_MS: '0' },
      },
    },
    /The site is at http:\/\/localhost:(\d+)/,
  );
  cleanup.defer(server.stop);

  const blocks: Record<(typeof conditions)[number], Latencies[]> = { quiet: [], busy: [] };
  const othersShares: number[] = [];
  let audits = 0;
  // Before the first round, for the compiler and the start of the thread.
  await measure(server.port, 2);
  await startVisitors(server.port, names).stop();
  for (let round = 1; round <= rounds; round += 1) {
    for (const condition of conditions) {
      const visitors = condition === 'busy' ? startVisitors(server.port, names) : undefined;
      await visitors?.firstReport;
      const name = `Round ${round}, ${condition}`;
      const { result: block, share } = await undisturbed(name, () => measure(server.port, seconds));
      audits += (await visitors?.stop()) ?? 0;
      blocks[condition].push(block);
      othersShares.push(100 * share);
      const p99s = kinds.map(kind => `${kind} ${getP99(block[kind]).toFixed(2)} ms`);
      print(`${name}: p99 of a ${p99s.join(', ')}`);
    }
  }
  return [
    ...kinds.flatMap(kind => listFigures(kind, blocks.quiet, blocks.busy)),
    { name: 'audits that ended meanwhile', values: [audits] },
    { name: 'processor time that others had meanwhile, of one core', unit: '%', values: othersShares },
  ];
}

function listFigures(kind: Kind, quiet: Latencies[], busy: Latencies[]): Figure[] {
  const p99s = (blocks: Latencies[]) => blocks.map(block => getP99(block[kind]));
  return [
    { name: `p99 of a ${kind}, quiet`, unit: 'ms', values: p99s(quiet) },
    { name: `p99 of a ${kind}, with 5 audits running and 50 waiting`, unit: 'ms', values: p99s(busy) },
    {
      name: `p99 of a ${kind}, as a multiple of the quiet block before it`,
      values: p99s(busy).map((p99, round) => p99 / (p99s(quiet)[round] as number)),
      goal: 'at most 1.5',
    },
  ];
}

function getP99(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(0.99 * values.length) - 1] ?? NaN;
}

const perSecond: Record<Kind, number> = { page: 100, post: 20 };

/** Each request starts on time, however long earlier ones take. */
async function measure(port: number, seconds: number): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const latencies: Latencies = { page: [], post: [] };
  const pending: Promise<void>[] = [];
  const timers = kinds.map(kind =>
    setInterval(() => {
      const started = performance.now();
      const body = kind === 'post' ? JSON.stringify({ message: `A message of ${started}` }) : undefined;
      const path = kind === 'post' ? contactPath : '/';
      pending.push(
        send(agent, { port, path, body }).then(() => void latencies[kind].push(performance.now() - started)),
      );
    }, 1000 / perSecond[kind]),
  );
  await wait(seconds * 1000);
  timers.forEach(clearInterval);
  await Promise.all(pending);
  agent.destroy();
  return latencies;
}

let nextName = 0;

/** As many visitors as fit, each with another domain as soon as the last one has its report. */
function startVisitors(port: number, names: string[]) {
  const agent = new Agent({ keepAlive: true });
  const firstReport = Promise.withResolvers<void>();
  let isStopped = false;
  let reports = 0;
  async function visit(): Promise<void> {
    while (!isStopped) {
      const body = JSON.stringify({ domain: names[nextName % names.length] });
      nextName += 1;
      const text = await send(agent, { port, path: auditApiPath, body });
      if (!text.includes('"type":"report"')) throw new Error(`no report: ${text.slice(0, 200)}`);
      reports += 1;
      firstReport.resolve();
    }
  }
  const visitors = Array.from({ length: queueLimits.maxRunning + queueLimits.maxWaiting }, visit);
  return {
    firstReport: Promise.race([firstReport.promise, Promise.all(visitors)]),
    async stop(): Promise<number> {
      isStopped = true;
      await Promise.all(visitors);
      agent.destroy();
      return reports;
    },
  };
}

type Sent = { port: number; path: string; body: string | undefined };

function send(agent: Agent, { port, path, body }: Sent): Promise<string> {
  const { promise, resolve: done, reject } = Promise.withResolvers<string>();
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request({ agent, host: '127.0.0.1', port, path, method }, response => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', part => (text += part));
    response.on('end', () =>
      response.statusCode === 200 ? done(text) : reject(new Error(`${path} answers ${response.statusCode}`)),
    );
  });
  sent.on('error', reject);
  if (body !== undefined) sent.setHeader('content-type', 'application/json');
  sent.end(body);
  return promise;
}
