import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, get } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactPath } from '../src/features/messages/contract.ts';
import { startSite, type TestSite } from '../tests/harness/site.ts';
import { host, type ProxyKind, proxies, type RunningProxy } from './proxies.ts';

/** Far more than the 768 connections of Debian's nginx. */
const crowd = ['-c', '2000', '-r', '300'];
const attackSeconds = 22;
const probes = 30;
const probeEveryMs = 500;
/** What a visitor waits for at most. */
const patienceMs = 5000;

const plainAttack = 'slow headers over plain HTTP';

/** Faster than slowhttptest is by itself: no pause is as long as a timeout between two reads. */
const attacks: Record<string, string[]> = {
  'slow bodies': ['-B', '-i', '3', '-x', '2', '-s', '60000'],
  'slow headers': ['-H', '-i', '3', '-x', '2'],
  // Without TLS they come faster; the connections are the same ones.
  [plainAttack]: ['-H', '-i', '3', '-x', '2'],
  'slow reading': ['-X', '-n', '1', '-z', '5', '-w', '1', '-y', '512', '-k', '3'],
};

const isInstalled = spawnSync('slowhttptest', ['-h']).error === undefined;
const installed = proxies.filter(({ version }) => version);

let site: TestSite;
beforeAll(async () => {
  if (isInstalled && installed.length > 0) site = await startSite({ TRUSTED_PROXIES: '127.0.0.1' });
}, 60_000);
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
});

const startProxy = (kind: ProxyKind, hasFewConnections = false) =>
  kind.start([port(), port()], { hasFewConnections });
const port = () => Number(new URL(site.origin).port);

const title = (kind: ProxyKind) => `${kind.name} ${kind.version ?? '(not installed here)'}`;

describe.each(proxies)('a slow client of $name', kind => {
  describe.skipIf(!kind.version)(title(kind), () => {
    let proxy: RunningProxy;
    beforeAll(async () => {
      proxy = await startProxy(kind);
    });
    afterAll(() => proxy?.[Symbol.asyncDispose]());

    /** Seconds until the proxy has let go of a client that sends so little every three seconds. */
    async function drip(head: string, more: string): Promise<number> {
      const started = performance.now();
      const socket = connect({ port: proxy.httpsPort, host: '127.0.0.1', ca: proxy.ca, servername: host });
      socket.on('error', () => undefined).resume();
      const gone = once(socket, 'close');
      socket.write(head);
      const timer = setInterval(() => socket.writable && socket.write(more), 3000);
      await gone.finally(() => clearInterval(timer));
      const seconds = (performance.now() - started) / 1000;
      process.stdout.write(`${kind.name}: ended after ${seconds.toFixed(1)} s\n`);
      return seconds;
    }

    test.concurrent('that sends a byte of its body every three seconds is gone after 20 s', async () => {
      const headers = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: 4096\r\n\r\n`;
      expect(await drip(`POST ${contactPath} HTTP/1.1\r\n${headers}`, ' ')).toBeLessThan(20);
    }, 60_000);

    test.concurrent('that does so over HTTP/2 has no request after 20 s', async () => {
      const started = performance.now();
      const session = connectHttp2(`https://127.0.0.1:${proxy.httpsPort}`, {
        ca: proxy.ca,
        servername: host,
      });
      session.on('error', () => undefined);
      const stream = session.request({
        ':method': 'POST',
        ':path': contactPath,
        ':authority': host,
        'content-type': 'application/json',
        'content-length': '4096',
      });
      stream.on('error', () => undefined).resume();
      const timer = setInterval(() => stream.writable && stream.write(' '), 3000);
      await once(stream, 'end').catch(() => undefined);
      clearInterval(timer);
      session.destroy();
      expect(performance.now() - started).toBeLessThan(20_000);
    }, 60_000);

    test.concurrent('that sends a header every three seconds is gone after 10 s', async () => {
      expect(await drip(`GET / HTTP/1.1\r\nHost: ${host}\r\n`, 'X-A: b\r\n')).toBeLessThan(10);
    }, 60_000);
  });
});

const setups = installed.flatMap(kind => [
  { kind, name: kind.name, hasFewConnections: false },
  ...(kind.name === 'nginx'
    ? [{ kind, name: `${kind.name} with Debian's 768 connections`, hasFewConnections: true }]
    : []),
]);

describe.skipIf(!isInstalled)(
  `2,000 slow clients from one address${isInstalled ? '' : ' (slowhttptest is not installed here)'}`,
  () => {
    describe.each(setups)('of $name', ({ kind, name, hasFewConnections }) => {
      test.each(Object.entries(attacks))(
        '%s',
        async (attack, options) => {
          await using proxy = await startProxy(kind, hasFewConnections);
          const origin =
            attack === plainAttack
              ? `http://localhost:${proxy.httpPort}`
              : `https://localhost:${proxy.httpsPort}`;
          using slow = startAttack(origin, options);
          await sleep(2000);
          const { answered, slowestMs } = await probe(proxy);
          const ended = await slow.counts();
          process.stdout.write(
            `${name}, 2,000 ${attack}: ${answered} of ${probes} visitors answered, slowest ${Math.round(slowestMs)} ms; ${ended}\n`,
          );
          // How many Debian's own setting leaves is only measured.
          if (!hasFewConnections) expect(answered).toBe(probes);
        },
        60_000,
      );
    });
  },
);

function startAttack(origin: string, options: string[]) {
  const url = `${origin}${options[0] === '-B' ? contactPath : '/'}`;
  const args = [...options, ...crowd, '-l', String(attackSeconds), '-p', '3', '-u', url];
  const child = spawn('slowhttptest', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', chunk => {
    said += chunk;
  });
  return {
    /** As it last told: how many it still held and how many the proxy had closed. */
    async counts(): Promise<string> {
      if (child.exitCode === null) await once(child, 'exit');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
      const plain = said.replaceAll(/\u001b\[[\d;]*m/g, '');
      const last = (word: string) => [...plain.matchAll(new RegExp(`${word}:\\s+(\\d+)`, 'g'))].at(-1)?.[1];
      return `connected ${last('connected')}, closed ${last('closed')}, pending ${last('pending')}`;
    },
    [Symbol.dispose]() {
      child.kill('SIGKILL');
    },
  };
}

/** Visitors from another address of this machine, each on a connection of their own. */
async function probe({ ca, httpsPort }: RunningProxy): Promise<{ answered: number; slowestMs: number }> {
  const times: number[] = [];
  const visit = async () => {
    const started = performance.now();
    const agent = new Agent({ ca, servername: host, localAddress: '127.0.0.2' });
    const asked = get({
      ...{ agent, host: '127.0.0.1', port: httpsPort, path: '/faq', headers: { host } },
      signal: AbortSignal.timeout(patienceMs),
    });
    try {
      const [response] = await once(asked, 'response');
      await response.toArray();
      if (response.statusCode === 200) times.push(performance.now() - started);
    } catch {
      // Not answered.
    }
    agent.destroy();
  };
  const visits: Promise<void>[] = [];
  for (let count = 0; count < probes; count += 1) {
    visits.push(visit());
    await sleep(probeEveryMs);
  }
  await Promise.all(visits);
  return { answered: times.length, slowestMs: Math.max(0, ...times) };
}
