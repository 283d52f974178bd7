import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sirv from 'sirv';
import { headerSettings, headersFor } from '../../../src/core/http/headers.ts';

/** Run as a process of its own: node sirv-server.ts <folder>. Prints its port. */

const headers = Object.entries(headersFor('page', headerSettings({})));
const answer = sirv(process.argv[2], {
  dev: false,
  gzip: true,
  brotli: true,
  etag: true,
  extensions: ['html'],
  setHeaders(response: ServerResponse) {
    for (const [name, value] of headers) response.setHeader(name, value);
  },
});

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => answer(request, response));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`);
});
