import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificate } from '../tests/fakes/certificate.ts';
import { root } from '../tests/harness/site.ts';

/** The name that the shipped settings are written for. */
export const host = 'www.example.com';

export type RunningProxy = AsyncDisposable & { ca: string; httpPort: number; httpsPort: number };

type Setting = { folder: string; upstreams: number[]; httpPort: number; httpsPort: number } & Options;

type Options = {
  /** nginx with the 768 connections of Debian, instead of those that nginx.conf asks for. */
  hasFewConnections?: boolean;
};

export type ProxyKind = {
  name: string;
  /** None where it is not installed. */
  version: string | undefined;
  start(upstreams: number[], options?: Options): Promise<RunningProxy>;
};

/** The real programs with the settings of deploy/, but for ports, certificates and places of files; localhost is the site too. */
export const proxies: ProxyKind[] = [
  describeProxy('nginx', ['-v'], startNginx),
  describeProxy('caddy', ['version'], startCaddy),
];

/** Whether a version such as 2.6.2 is at least another. */
export function isAtLeast(version: string | undefined, wanted: string): boolean {
  return version !== undefined && version.localeCompare(wanted, 'en', { numeric: true }) >= 0;
}

function describeProxy(
  name: string,
  ask: string[],
  launch: (file: string, setting: Setting) => ChildProcess,
): ProxyKind {
  // Some systems keep it off an ordinary user's PATH.
  const file = [name, `/usr/sbin/${name}`, `/usr/local/sbin/${name}`, `/opt/homebrew/bin/${name}`].find(
    candidate => spawnSync(candidate, ask).status === 0,
  );
  const { stdout = '', stderr = '' } = file ? spawnSync(file, ask, { encoding: 'utf8' }) : {};
  return {
    name,
    version: file && (/\d+(\.\d+)+/.exec(stdout + stderr)?.[0] ?? 'of an unknown version'),
    async start(upstreams, options = {}) {
      const folder = mkdtempSync(join(tmpdir(), `wardhouse-${name}-`));
      const certificate = makeCertificate({ host });
      writeFileSync(join(folder, 'cert.pem'), certificate.cert);
      writeFileSync(join(folder, 'key.pem'), certificate.key);
      const [httpPort = 0, httpsPort = 0] = await findFreePorts();
      const child = launch(file as string, { folder, upstreams, httpPort, httpsPort, ...options });
      const ended = new Promise(resolve => child.once('close', resolve));
      let said = '';
      child.stderr?.on('data', chunk => {
        said += chunk;
      });
      const proxy = {
        ca: certificate.cert,
        httpPort,
        httpsPort,
        async [Symbol.asyncDispose]() {
          child.kill('SIGKILL');
          await ended;
          rmSync(folder, { recursive: true, force: true });
        },
      };
      for (let attempt = 0; attempt < 200; attempt++) {
        if (child.exitCode !== null) break;
        if (await isOpen(httpsPort)) return proxy;
        await sleep(50);
      }
      await proxy[Symbol.asyncDispose]();
      throw new Error(`${name} did not open its port: ${said}`);
    },
  };
}

function startNginx(
  file: string,
  { folder, upstreams, httpPort, httpsPort, hasFewConnections }: Setting,
): ChildProcess {
  const shipped = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8');
  const [descriptors, connections] = [/worker_rlimit_nofile \d+;/, /worker_connections \d+;/].map(line =>
    String(line.exec(shipped)?.[0]),
  );
  const site = shipped
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replaceAll('listen 80 ', `listen 127.0.0.1:${httpPort} `)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${httpsPort} `)
    .replace('server_name www.example.com;', 'server_name www.example.com localhost;')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${upstreams[0]}`)
    // As many lines as there are further processes.
    .replaceAll(/^( *server 127\.0\.0\.1:)3001( .*\n)/gm, (_, before, after) =>
      upstreams
        .slice(1)
        .map(port => before + port + after)
        .join(''),
    )
    .replaceAll(/\/etc\/letsencrypt\/\S+fullchain\.pem/g, join(folder, 'cert.pem'))
    .replaceAll(/\/etc\/letsencrypt\/\S+privkey\.pem/g, join(folder, 'key.pem'))
    .replaceAll('/var/log/nginx/wardhouse.log', join(folder, 'wardhouse.log'));
  writeFileSync(join(folder, 'site.conf'), site);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
error_log stderr crit;
${hasFewConnections ? '' : descriptors}
events { ${hasFewConnections ? 'worker_connections 768;' : connections} }
http {
  # As some systems ship it, and laxer: what the site allows is for the site to say.
  ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3;
  ssl_ciphers DEFAULT:@SECLEVEL=0;
  ${places.map(place => `${place}_temp_path ${join(folder, place)};`).join('\n  ')}
  include site.conf;
}
`,
  );
  return launch(file, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {});
}

function startCaddy(file: string, { folder, upstreams, httpPort, httpsPort }: Setting): ChildProcess {
  const own = [
    'admin off',
    // Nothing asks an authority for a certificate; the way from HTTP to HTTPS stays.
    'auto_https disable_certs',
    `http_port ${httpPort}`,
    `https_port ${httpsPort}`,
    'default_bind 127.0.0.1',
    // Not every tool names a host in its TLS.
    `default_sni ${host}`,
  ];
  const { version } = proxies.find(({ name }) => name === 'caddy') ?? {};
  const caddyfile = isAtLeast(version, '2.11') ? 'Caddyfile' : 'Caddyfile-2.6';
  const site = readFileSync(join(root, 'deploy', caddyfile), 'utf8')
    .replace(/^\{$/m, `{\n\t${own.join('\n\t')}`)
    .replace('\nwww.example.com {', '\nwww.example.com, localhost {')
    .replace(/#tls .*/, `tls ${join(folder, 'cert.pem')} ${join(folder, 'key.pem')}`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${upstreams[0]}`)
    .replaceAll(
      '127.0.0.1:3001',
      upstreams
        .slice(1)
        .map(port => `127.0.0.1:${port}`)
        .join(' '),
    );
  writeFileSync(join(folder, 'Caddyfile'), site);
  mkdirSync(join(folder, 'home'));
  const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
  return launch(file, args, { HOME: join(folder, 'home') });
}

function launch(file: string, args: string[], env: Record<string, string>): ChildProcess {
  return spawn(file, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Two that are free now; another process could take one before it is used. */
async function findFreePorts(): Promise<number[]> {
  const probes = [createServer(), createServer()];
  for (const probe of probes) await new Promise<void>(open => probe.listen(0, '127.0.0.1', open));
  const ports = probes.map(probe => (probe.address() as { port: number }).port);
  await Promise.all(probes.map(probe => new Promise(closed => probe.close(closed))));
  return ports;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
