import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileTable } from '../src/core/http/static-files.ts';
import { contactPath } from '../src/features/messages/contract.ts';
import { databases, type TestDatabase } from '../tests/harness/databases.ts';
import { builtSite, root, startSite, type TestSite } from '../tests/harness/site.ts';
import { paths } from '../tests/harness/site-paths.ts';
import { type CuttingRelay, createCuttingRelay } from './cutting-relay.ts';
import { host, isAtLeast, proxies, type RunningProxy } from './proxies.ts';

type Answer = { status: number; headers: Record<string, string>; body: Buffer };

/** nginx cannot leave its name out, and says no more than that. */
const mayAdd: Record<string, string[]> = {
  nginx: [':status', 'date', 'server'],
  caddy: [':status', 'date', 'alt-svc'],
};

const isAnyInstalled = proxies.some(({ version }) => version);
let database: TestDatabase;
/** Two servers on one PostgreSQL, the second of a newer build. */
let sites: TestSite[] = [];
const newer = mkdtempSync(join(tmpdir(), 'wardhouse-newer-'));
const newScript = 'static/js/newer-12345678.js';

beforeAll(async () => {
  if (!isAnyInstalled) return;
  database = (await databases.find(({ name }) => name === 'PostgreSQL')?.create()) as TestDatabase;
  const env = { ...database.env, TRUSTED_PROXIES: '127.0.0.1', SITE_URL: `https://${host}` };
  sites = [await startSite(env), await startSite(env, {}, makeNewerBuild())];
}, 60_000);
afterAll(async () => {
  rmSync(newer, { recursive: true, force: true });
  for (const site of sites) await site[Symbol.asyncDispose]();
  await database?.remove();
});

describe.each(proxies)('the site behind $name', ({ name, version, start }) => {
  const title = version ? `${name} ${version}` : `${name}, which is not installed here`;
  describe.skipIf(!version)(title, () => {
    let relay: CuttingRelay;
    let proxy: RunningProxy;
    let session: ClientHttp2Session;

    async function open(): Promise<void> {
      proxy = await start(relay.ports);
      session = connect(`https://127.0.0.1:${proxy.httpsPort}`, { ca: proxy.ca, servername: host });
    }

    async function close(): Promise<void> {
      session?.destroy();
      await proxy?.[Symbol.asyncDispose]();
    }

    beforeAll(async () => {
      relay = await createCuttingRelay(sites.map(portOf));
      await open();
    }, 30_000);
    afterAll(async () => {
      await close();
      await relay?.[Symbol.asyncDispose]();
    });

    /** Over HTTPS and HTTP/2, as a browser does. */
    function ask(path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
      const method = body === undefined ? 'GET' : 'POST';
      const stream = session.request({ ':method': method, ':path': path, ':authority': host, ...headers });
      return new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        let head: Record<string, string> = {};
        stream.on('response', received => {
          head = Object.fromEntries(Object.entries(received).map(([key, value]) => [key, String(value)]));
        });
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () =>
          resolve({ status: Number(head[':status']), headers: head, body: Buffer.concat(chunks) }),
        );
        stream.on('error', error => (head[':status'] ? undefined : reject(error)));
        stream.end(body);
      });
    }

    function post(body: string, headers: Record<string, string> = {}): Promise<Answer> {
      return ask(contactPath, { 'content-type': 'application/json', ...headers }, body);
    }

    const message = () => JSON.stringify({ message: randomUUID() });
    const stored = async (body: string) =>
      (await database.query(`select 1 from messages where message = '${JSON.parse(body).message}'`)).length;

    test('every page, and one that is not there, is what the server itself answers', async () => {
      const encoding = { 'accept-encoding': 'br' };
      for (const path of [...Object.values(paths), '/icon.svg', '/nothing-here', '/metrics', '/Contact/']) {
        const [direct, through] = await Promise.all([fetchDirect(path, encoding), ask(path, encoding)]);
        expect(through.status, path).toBe(direct.status);
        expect(through.body.equals(direct.body), path).toBe(true);
        expect(through.headers, path).toMatchObject(direct.headers);
        expect(through.headers['strict-transport-security'], path).toMatch(/^max-age=[1-9]\d{7}/);
        const added = Object.keys(through.headers).filter(header => !(header in direct.headers));
        expect(
          added.filter(header => !mayAdd[name]?.includes(header)),
          path,
        ).toEqual([]);
        expect(through.headers.server ?? 'nginx', path).toBe('nginx');
      }
      expect(session.alpnProtocol).toBe('h2');
    });

    test('a file of only one process is found, whichever is asked first', async () => {
      for (let visit = 0; visit < 4; visit += 1) {
        const { status, body } = await ask(`/${newScript}`);
        expect([status, body.toString().slice(0, 20)]).toEqual([200, 'newer']);
      }
      const before = relay.posts.length;
      const posted = await post(message(), { ':path': '/nothing-here' });
      expect([posted.status, relay.posts.length - before]).toEqual([404, 1]);
    });

    test('HTTP redirects to HTTPS, with path and query', async () => {
      const { status, headers } = await fetchHttp(proxy.httpPort, '/contact?a=1', { host });
      expect([301, 308]).toContain(status);
      expect(headers.location).toMatch(/^https:\/\/www\.example\.com(:\d+)?\/contact\?a=1$/);
    });

    test('a request to the API over HTTP is refused, not redirected', async () => {
      for (const name of [host, 'example.com']) {
        const { status, headers } = await fetchHttp(proxy.httpPort, contactPath, { host: name });
        expect([status, headers.location]).toEqual([403, undefined]);
      }
    });

    test('a cipher without forward secrecy is refused', async () => {
      const shake = (ciphers: string) => {
        const version = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;
        const socket = connectTls(proxy.httpsPort, '127.0.0.1', {
          ...{ ca: proxy.ca, servername: host, ciphers },
          ...version,
        });
        return once(socket, 'secureConnect').finally(() => socket.destroy());
      };
      await shake('ECDHE-ECDSA-AES128-GCM-SHA256');
      for (const weak of ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'AES128-GCM-SHA256'])
        await expect(shake(`${weak}:@SECLEVEL=0`), weak).rejects.toThrow();
    });

    test('an old TLS is refused, and the bare name leads to the site, by HTTPS for good', async () => {
      const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
      const options = { ca: proxy.ca, servername: host, ...old };
      await expect(
        once(connectTls(proxy.httpsPort, '127.0.0.1', options), 'secureConnect'),
      ).rejects.toThrow();
      const { status, headers } = await ask('/contact?a=1', { ':authority': 'example.com' });
      expect([status, headers.location]).toEqual([308, `https://${host}/contact?a=1`]);
      expect(headers['strict-transport-security']).toMatch(/^max-age=[1-9]\d{7}/);
    });

    test('a message is stored, from a form too, under the address of its sender', async () => {
      const body = message();
      const forged = { 'x-forwarded-for': '203.0.113.9' };
      expect((await post(body, forged)).status).toBe(200);
      expect(await stored(body)).toBe(1);
      expect(relay.posts.at(-1)).toMatch(/^x-forwarded-for: 127\.0\.0\.1$/im);
      expect(relay.posts.at(-1)).toMatch(/^host: www\.example\.com$/im);
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const form = await ask(contactPath, { ...type, 'sec-fetch-site': 'same-origin' }, 'message=hello');
      expect([form.status, form.headers.location]).toEqual([303, '/contact#sent']);
    });

    test('what is too long is refused, and the answer says so', async () => {
      const tooLong = await post(JSON.stringify({ message: 'a'.repeat(70_000) }));
      expect([tooLong.status, tooLong.headers['content-type']]).toEqual([413, 'application/problem+json']);
      expect((await post('a'.repeat(600_000)).catch(() => ({ status: 413 }))).status).toBe(413);
      const header = { 'x-long': 'a'.repeat(15_000), 'x-longer': 'a'.repeat(15_000) };
      expect([400, 431]).toContain((await ask('/', header)).status);
      expect((await ask('/')).status).toBe(200);
    });

    // nginx passes a body on as it arrives, and Caddy keeps it from 2.11 on only.
    const sendsAgain = name === 'caddy' && isAtLeast(version, '2.11');
    const sender = sendsAgain ? 'the proxy' : 'the script of the site, after 502';
    test(`a post with a key whose response is lost is sent again by ${sender}, and is stored once`, async () => {
      const body = message();
      const key = { 'idempotency-key': randomUUID() };
      const before = relay.posts.length;
      relay.cutNext();
      const { status } = await post(body, key);
      expect(status).toBe(sendsAgain ? 200 : 502);
      if (!sendsAgain) await expect.poll(async () => (await post(body, key)).status).toBe(200);
      expect([relay.posts.length - before, await stored(body)]).toEqual([2, 1]);
    });

    test('a post without a key is not sent again', async () => {
      // One that knows nothing of the cut before, which would keep it from the process that was cut off.
      await close();
      await open();
      const body = message();
      const before = relay.posts.length;
      relay.cutNext();
      const { status } = await post(body);
      expect([status, relay.posts.length - before]).toEqual([502, 1]);
      await expect.poll(() => stored(body)).toBe(1);
    });

    test('a file of no process is 404, also while one of the processes is gone', async () => {
      for (const isGone of [false, true, false]) {
        relay.refuse(isGone ? 1 : undefined);
        for (let visit = 0; visit < 4; visit += 1) expect((await ask('/nothing-here')).status).toBe(404);
      }
    });
  });
});

test('every server of nginx.conf has the limits of the last', () => {
  const conf = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8');
  const servers = conf.split(/^server \{$/m).slice(1);
  const limit = /^ {4}(\w+_timeout|lingering_\w+|limit_conn\w*) .*;$/gm;
  const limits = servers.map(server => (server.match(limit) ?? []).filter(line => !line.includes('proxy_')));
  expect(servers.length).toBe(3);
  expect(limits.at(-1)?.length).toBe(8);
  for (const own of limits) expect(own).toEqual(limits.at(-1));
});

describe('the unit of systemd', () => {
  const file = join(root, 'deploy/wardhouse.service');
  const hasTool = spawnSync('systemd-analyze', ['--version']).status === 0;

  test.skipIf(!hasTool)(
    `is exposed less than 2.0${hasTool ? '' : ' (systemd-analyze is not installed here)'}`,
    () => {
      const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], {
        encoding: 'utf8',
      });
      const level = Number(/exposure level for [^:]+: ([\d.]+)/.exec(stdout)?.[1]);
      expect(level).toBeLessThan(2);
    },
  );

  test('leaves Node what it needs, and never gives up', () => {
    const unit = readFileSync(file, 'utf8');
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute/m);
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
    const [drainMs, stopSeconds] = [/DRAIN_MS=(\d+)/, /^TimeoutStopSec=(\d+)$/m].map(setting =>
      Number(setting.exec(unit)?.[1]),
    ) as [number, number];
    expect(stopSeconds * 1000).toBeGreaterThan(drainMs + 10_000);
  });
});

test('the Dockerfile copies only what is there', () => {
  const lines = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').split('\n');
  const sources = lines
    .filter(line => /^COPY (?!--from)/.test(line))
    .flatMap(line =>
      line
        .split(' ')
        .filter(part => !part.startsWith('--'))
        .slice(1, -1),
    );
  expect(sources.length).toBeGreaterThan(3);
  expect(sources.filter(source => !existsSync(join(root, source)))).toEqual([]);
});

function makeNewerBuild(): string {
  cpSync(builtSite, newer, { recursive: true });
  writeFileSync(join(newer, 'site', newScript), 'newer');
  const table = join(newer, fileTable);
  const entry = { path: `/${newScript}`, file: newScript, kind: 'hashed', encodings: [], digest: 'newer' };
  writeFileSync(table, JSON.stringify([...JSON.parse(readFileSync(table, 'utf8')), entry]));
  return newer;
}

function portOf({ origin }: TestSite): number {
  return Number(new URL(origin).port);
}

/** What one of the servers answers without a proxy, but for what belongs to the connection and the moment. */
async function fetchDirect(path: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await fetchHttp(portOf(sites[0] as TestSite), path, { host, ...headers });
  for (const name of ['connection', 'keep-alive', 'date', 'transfer-encoding']) delete answer.headers[name];
  return answer;
}

function fetchHttp(port: number, path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    requestPlain({ host: '127.0.0.1', port, path, headers, agent: false }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}
