import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { headerSettings, headersFor } from '../../../src/server/headers.ts';
import { findLastingPort } from '../../../tests/harness/ports.ts';
import { pidOf, startChild, stopChild } from '../child.ts';
import { print } from '../options.ts';
import type { BenchServer, Setting } from './ours.ts';

/** Some systems keep it off an ordinary user's PATH. */
const candidates = ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];

/** One worker, its master counted with it. sendfile stays off: for bodies this small it was measured to cost more. */
export async function startNginx({ folder, site, place }: Setting): Promise<BenchServer | undefined> {
  const file = candidates.find(candidate => spawnSync(candidate, ['-v']).status === 0);
  if (!file) {
    print('nginx is not installed: apt-get install nginx-light. Going on without it');
    return undefined;
  }
  const home = join(folder, 'nginx');
  mkdirSync(home);
  const port = await findLastingPort();
  writeFileSync(join(home, 'nginx.conf'), writeConfig(home, site, port));
  const command = [file, '-p', home, '-c', join(home, 'nginx.conf'), '-e', 'stderr'];
  const child = startChild(place, command, { stdio: ['ignore', 'ignore', 'inherit'] });
  const server = { name: 'nginx', pid: pidOf(child), port, stop: () => stopChild(child) };
  for (let attempt = 0; attempt < 100; attempt++) {
    const isOpen = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isOpen) return server;
    await sleep(50);
  }
  await server.stop();
  throw new Error(`nginx did not open port ${port} within 5 s`);
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
