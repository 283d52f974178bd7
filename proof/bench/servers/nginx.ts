import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { headerSettings, headersFor } from '../../../src/server/headers.ts';
import { pidOf, startChild, stopChild } from '../child.ts';
import type { Setting, Started } from './server.ts';

/** Some systems keep it off an ordinary user's PATH. */
const candidates = ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];

/** One worker, its master counted with it. sendfile stays off: for bodies this small it was measured to cost more. */
export async function startNginx({ folder, site, place }: Setting): Promise<Started> {
  const found = findNginx();
  if (!found) return { absent: 'nginx is not installed: apt-get install nginx-light. Going on without it' };
  const home = join(folder, 'nginx');
  mkdirSync(home);
  const port = await findFreePort();
  writeFileSync(join(home, 'nginx.conf'), writeConfig(home, site, port));
  const command = [found.file, '-p', home, '-c', join(home, 'nginx.conf'), '-e', 'stderr'];
  const child = startChild(place, command, { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    await waitUntilOpen(port);
    return { name: 'nginx', version: found.version, pid: pidOf(child), port, stop: () => stopChild(child) };
  } catch (error) {
    await stopChild(child);
    throw error;
  }
}

function findNginx(): { file: string; version: string } | undefined {
  for (const file of candidates) {
    const { status, stderr } = spawnSync(file, ['-v'], { encoding: 'utf8' });
    if (status === 0) return { file, version: /nginx\/(\S+)/.exec(stderr)?.[1] ?? '' };
  }
  return undefined;
}

function writeConfig(home: string, site: string, port: number): string {
  const isRoot = process.getuid?.() === 0;
  return `${isRoot ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${join(home, 'nginx.pid')};
error_log stderr warn;
events { worker_connections 1024; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${join(home, name)};`).join('\n  ')}
  types { text/html html; text/css css; text/javascript js; image/svg+xml svg; font/woff2 woff2; text/plain txt; }
  charset utf-8;
  access_log off;
  keepalive_timeout 65s;
  keepalive_requests 1000000000;
  open_file_cache max=1000 inactive=600s;
  open_file_cache_valid 600s;
  open_file_cache_errors on;
  gzip_static on;
  gzip_vary on;
  server {
    listen 127.0.0.1:${port};
    root ${site};
    ${Object.entries(headersFor('page', headerSettings({})))
      .map(addHeader)
      .join('\n    ')}
    location / { try_files $uri $uri.html =404; }
  }
}
`;
}

/** The headers our server sends, so that all write about the same number of bytes. */
function addHeader([name, value]: [string, string]): string {
  if (/[\\$]/.test(value)) throw new Error(`${name} holds a sign that nginx would read as its own: ${value}`);
  return `add_header ${name} "${value.replaceAll('"', '\\"')}" always;`;
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('No free port was found'));
      });
    });
  });
}

async function waitUntilOpen(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await isOpen(port)) return;
    await sleep(50);
  }
  throw new Error(`nginx did not open port ${port} within 5 s`);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
