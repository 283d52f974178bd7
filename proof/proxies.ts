import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '../tests/fakes/certificate.ts';
import { root } from '../tests/harness/site.ts';
import { findFreePort, prepareNginx, readVersion, startProgram } from './programs.ts';

/** The name that the shipped settings are written for. */
export const host = 'www.example.com';
const ip = '127.0.0.1';

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
  describeProxy('nginx', ['-v'], setUpNginx),
  describeProxy('caddy', ['version'], setUpCaddy),
];

/** Whether a version such as 2.6.2 is at least another. */
export function isAtLeast(version: string | undefined, wanted: string): boolean {
  return version !== undefined && version.localeCompare(wanted, 'en', { numeric: true }) >= 0;
}

function describeProxy(
  name: string,
  ask: string[],
  prepare: (setting: Setting) => Pick<Parameters<typeof startProgram>[1], 'args' | 'env'>,
): ProxyKind {
  return {
    name,
    version: readVersion(name, ask),
    async start(upstreams, options = {}) {
      await using starting = new AsyncDisposableStack();
      const folder = mkdtempSync(join(tmpdir(), `wardhouse-${name}-`));
      starting.defer(() => rmSync(folder, { recursive: true, force: true }));
      const certificate = makeCertificate({ host });
      writeFileSync(join(folder, 'cert.pem'), certificate.cert);
      writeFileSync(join(folder, 'key.pem'), certificate.key);
      const [httpPort, httpsPort] = [await findFreePort(ip), await findFreePort(ip)];
      const prepared = prepare({ folder, upstreams, httpPort, httpsPort, ...options });
      await startProgram(starting, { name, ip, port: httpsPort, ...prepared });
      const running = starting.move();
      return {
        ...{ ca: certificate.cert, httpPort, httpsPort },
        [Symbol.asyncDispose]: () => running.disposeAsync(),
      };
    },
  };
}

function setUpNginx({ folder, upstreams, httpPort, httpsPort, hasFewConnections }: Setting) {
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
  const http = `# As some systems ship it, and laxer: what the site allows is for the site to say.
  ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3;
  ssl_ciphers DEFAULT:@SECLEVEL=0;
  include site.conf;`;
  const main = `master_process off;\n${hasFewConnections ? '' : descriptors}`;
  const events = hasFewConnections ? 'worker_connections 768;' : connections;
  return { args: prepareNginx(folder, http, events, main) };
}

function setUpCaddy({ folder, upstreams, httpPort, httpsPort }: Setting) {
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
  return { args, env: { PATH: process.env.PATH ?? '', HOME: join(folder, 'home') } };
}
