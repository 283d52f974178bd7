import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRecorder, message } from './record.ts';

/** node:http and a group commit, and nothing a site needs besides: no checks, no keys, no deliveries, no log. */
const record = createRecorder(process.argv[2] ?? '');
const answer = JSON.stringify({ reference: 'AAAAA-BBBBB' });
let waiting: ServerResponse[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    const body: typeof message = JSON.parse(Buffer.concat(chunks).toString());
    if (body.name !== message.name) throw new Error('Another message than expected');
    if (waiting.push(response) === 1) setImmediate(commit);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`);
});

function commit(): void {
  const group = waiting;
  waiting = [];
  record(group.length);
  for (const response of group) {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', answer.length);
    response.end(answer);
  }
}
