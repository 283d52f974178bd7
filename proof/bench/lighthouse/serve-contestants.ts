import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import sirv from 'sirv';
import { compressFile } from '../../../src/apps/build/compress-files.ts';
import { type FileEntry, fileTable } from '../../../src/core/http/static-files.ts';
import { startSite } from '../../../tests/harness/site.ts';
import { stripToText } from './bare-page.ts';

/**
 * Run as a process of its own: serve-contestants.ts BUILD [PEER]. Serves the site, the words of its pages alone and, from its
 * folder, a peer, all with Brotli and caching, and prints where.
 */
const [build = '', peer] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'));
await using stack = new AsyncDisposableStack();
stack.defer(() => rmSync(folder, { recursive: true, force: true }));
const origins = {
  ours: stack.use(await startSite({}, {}, build)).origin,
  bare: stack.use(await startSite({}, {}, await copyBare())).origin,
  ...(peer && { peer: await servePeer(peer) }),
};
process.stdout.write(`Serving ${JSON.stringify(origins)}\n`);
await new Promise(ended => process.once('SIGTERM', ended));

async function copyBare(): Promise<string> {
  const copy = join(folder, 'bare');
  cpSync(build, copy, { recursive: true });
  const entries: FileEntry[] = JSON.parse(readFileSync(join(copy, fileTable), 'utf8'));
  const stripped = entries.map(async entry => {
    if (entry.kind !== 'page') return entry;
    const file = join(copy, 'site', entry.file);
    writeFileSync(file, stripToText(readFileSync(file, 'utf8')));
    return { ...entry, ...(await compressFile(file)) };
  });
  writeFileSync(join(copy, fileTable), JSON.stringify(await Promise.all(stripped)));
  return copy;
}

/** Without our headers: its pages have scripts and styles of their own in them. */
async function servePeer(source: string): Promise<string> {
  const copy = join(folder, 'peer');
  cpSync(source, copy, { recursive: true });
  for (const file of globSync(join(copy, '**/*.{html,css,js,svg,xml,json}')))
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  const answer = sirv(copy, {
    brotli: true,
    etag: true,
    setHeaders(response: ServerResponse, path: string) {
      response.setHeader(
        'cache-control',
        /\.html$|\/$/.test(path) ? 'no-cache' : 'public, max-age=31536000, immutable',
      );
    },
  });
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  stack.defer(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
