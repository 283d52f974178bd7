import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { BenchServer } from './servers/ours.ts';

/** Figures are only comparable when all send the same: 200, gzip, and the same bytes. */
export async function checkAnswers(servers: readonly BenchServer[], path: string): Promise<void> {
  let first: Buffer | undefined;
  for (const { name, port } of servers) {
    const headers = { 'accept-encoding': 'gzip' };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const signal = AbortSignal.timeout(10_000);
    get({ host: '127.0.0.1', port, path, headers, agent: false, signal }, resolve).once('error', reject);
    const response = await promise;
    const body = await buffer(response);
    const encoding = response.headers['content-encoding'];
    if (response.statusCode !== 200 || encoding !== 'gzip')
      throw new Error(`${name} answers ${path} with ${response.statusCode}, ${encoding}: not 200, gzip`);
    first ??= body;
    if (!body.equals(first))
      throw new Error(`${name} answers ${path} with other bytes than ${servers[0]?.name}`);
  }
}
