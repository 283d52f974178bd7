import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { headerSettings, headersFor } from '../../../src/core/http/headers.ts';
import { findFreePort, findProgram, prepareNginx, startProgram } from '../../programs.ts';
import { pidOf } from '../child.ts';
import { print } from '../options.ts';
import type { BenchServer, Setting } from './ours.ts';

/** One worker, its master counted with it. sendfile stays off: for bodies this small it was measured to cost more. */
export async function startNginx({ folder, site, place }: Setting): Promise<BenchServer | undefined> {
  const file = findProgram('nginx');
  if (!file) {
    print('nginx is not installed: apt-get install nginx-light. Going on without it');
    return undefined;
  }
  const home = join(folder, 'nginx');
  mkdirSync(home);
  const ip = '127.0.0.1';
  const port = await findFreePort(ip);
  const options = prepareNginx(home, serve(site, port), 'worker_connections 1024;', 'worker_processes 1;');
  const [name = '', ...args] = [...place.prefix, file, ...options];
  const stack = new AsyncDisposableStack();
  const child = await startProgram(stack, { name, args, ip, port });
  return { name: 'nginx', pid: pidOf(child), port, stop: () => stack.disposeAsync() };
}

function serve(site: string, port: number): string {
  const headers = Object.entries(headersFor('page', headerSettings({}))).map(addHeader);
  return `types { text/html html; text/css css; text/javascript js; image/svg+xml svg; font/woff2 woff2; text/plain txt; }
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
    ${headers.join('\n    ')}
    location / { try_files $uri $uri.html =404; }
  }`;
}

/** The headers our server sends, so that all write about the same number of bytes. */
function addHeader([name, value]: [string, string]): string {
  if (/[\\$]/.test(value)) throw new Error(`${name} holds a sign that nginx would read as its own: ${value}`);
  return `add_header ${name} "${value.replaceAll('"', '\\"')}" always;`;
}
