import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { auditApiPath } from '../../src/features/audit/contract.ts';
import { queueLimits } from '../../src/features/audit/requests/audit-queue.ts';
import { contactPath } from '../../src/features/messages/contract.ts';
import type { Figure } from '../figures.ts';
import { undisturbed } from './audits/undisturbed.ts';
import { ensureBuild } from './ensure-build.ts';
import { print, readNumbers, waitForSignal } from './options.ts';
import { startOurs } from './servers/ours.ts';

const root = resolve(import.meta.dirname, '../..');
const kinds = ['page', 'post'] as const;
type Kind = (typeof kinds)[number];
/** In milliseconds. */
type Latencies = Record<Kind, number[]>;
const conditions = ['quiet', 'slow', 'fast'] as const;
type Condition = (typeof conditions)[number];
type Busy = Exclude<Condition, 'quiet'>;

/**
 * How long the audited servers take for each answer. With slow ones an audit takes some seconds, as on the internet;
 * with fast ones audits follow each other hundreds of times as often as the limit for an hour allows.
 */
const delaysMs: Record<Busy, number> = { slow: 1000, fast: 100 };

/** Requests at a steady pace, in turns without audits and while as many run and wait as one process allows. */
export async function benchAudits(args: string[]): Promise<Figure[]> {
  const { rounds, seconds } = readNumbers(args, { rounds: [8, 1, 100], seconds: [10, 1, 100] });
  await ensureBuild(print);
  await using cleanup = new AsyncDisposableStack();
  const interrupted = waitForSignal();
  const folder = mkdtempSync(join(root, '.cache/bench-audits-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const names = {
    slow: Array.from({ length: 2000 }, (_, index) => `slow-${index}.com`),
    fast: Array.from({ length: 5000 }, (_, index) => `fast-${index}.com`),
  };
  // Not pinned: the processes of the audits may have a core of their own.
  const server = await startOurs(
    { folder, place: { prefix: [] } },
    { SITE_URL: '', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' },
    ['proof/bench/audits/server.ts', JSON.stringify({ names, delaysMs })],
  );
  cleanup.defer(server.stop);

  const blocks: Record<Condition, Latencies[]> = { quiet: [], slow: [], fast: [] };
  const audits: Record<Busy, number> = { slow: 0, fast: 0 };
  // Before the first round, for the compiler and the start of the processes.
  await measure(server.port, 2);
  await startVisitors(server.port, names.fast).stop();
  await Promise.race([takeTurns(), interrupted]);
  print(`${audits.slow} audits of slow servers and ${audits.fast} of fast ones ended meanwhile`);
  return kinds.flatMap(kind => listFigures(kind, blocks));

  async function takeTurns(): Promise<void> {
    for (let round = 1; round <= rounds; round += 1) {
      for (const condition of conditions) {
        const visitors = condition === 'quiet' ? undefined : startVisitors(server.port, names[condition]);
        await visitors?.firstReport;
        const name = `Round ${round}, ${condition}`;
        const block = await undisturbed(name, () => measure(server.port, seconds));
        if (condition !== 'quiet') audits[condition] += (await visitors?.stop()) ?? 0;
        blocks[condition].push(block);
        const p99s = kinds.map(kind => `${kind} ${getP99(block[kind]).toFixed(2)} ms`);
        print(`${name}: p99 of a ${p99s.join(', ')}`);
      }
    }
  }
}

function listFigures(kind: Kind, blocks: Record<Condition, Latencies[]>): Figure[] {
  const p99s = (condition: Condition) => blocks[condition].map(block => getP99(block[kind]));
  const quiet = p99s('quiet');
  return [
    { name: `p99 of a ${kind}, quiet`, unit: 'ms', values: quiet },
    ...(['slow', 'fast'] as const).flatMap(busy => [
      {
        name: `p99 of a ${kind}, with 5 audits of ${busy} servers running and 50 waiting`,
        ...{ unit: 'ms', values: p99s(busy) },
      },
      {
        name: `p99 of a ${kind} beside audits of ${busy} servers / quiet in the same round`,
        values: p99s(busy).map((p99, round) => p99 / (quiet[round] as number)),
        goal: 'at most 1.5',
      },
    ]),
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
  const stopping = new AbortController();
  let reports = 0;
  async function visit(): Promise<void> {
    while (!stopping.signal.aborted) {
      const body = JSON.stringify({ domain: names[nextName % names.length] });
      nextName += 1;
      const text = await send(agent, { port, path: auditApiPath, body, leaveQueueAt: stopping.signal });
      if (text === undefined) return;
      if (!text.includes('"type":"report"')) throw new Error(`no report: ${text.slice(0, 200)}`);
      reports += 1;
      firstReport.resolve();
    }
  }
  const visitors = Array.from({ length: queueLimits.maxRunning + queueLimits.maxWaiting }, visit);
  return {
    firstReport: Promise.race([firstReport.promise, Promise.all(visitors)]),
    /** Those who wait leave; those whose audit runs stay for their report. */
    async stop(): Promise<number> {
      stopping.abort();
      await Promise.all(visitors);
      // The queue notices within two seconds that they left; what has started by then runs to its end.
      await wait(10_000);
      agent.destroy();
      return reports;
    },
  };
}

type Sent = { port: number; path: string; body: string | undefined; leaveQueueAt?: AbortSignal };

/** Nothing for one who left the queue. */
function send(agent: Agent, { port, path, body, leaveQueueAt }: Sent): Promise<string | undefined> {
  const { promise, resolve: done, reject } = Promise.withResolvers<string | undefined>();
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request({ agent, host: '127.0.0.1', port, path, method }, response => {
    let text = '';
    const leave = () => {
      if (text.includes('"type":"started"')) return;
      response.destroy();
      done(undefined);
    };
    leaveQueueAt?.addEventListener('abort', leave);
    response.setEncoding('utf8');
    response.on('data', part => (text += part));
    response.on('error', reject);
    response.on('end', () => {
      leaveQueueAt?.removeEventListener('abort', leave);
      if (response.statusCode === 200) done(text);
      else reject(new Error(`${path} answers ${response.statusCode}`));
    });
  });
  sent.on('error', reject);
  if (body !== undefined) sent.setHeader('content-type', 'application/json');
  sent.end(body);
  return promise;
}
