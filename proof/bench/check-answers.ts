import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { BenchServer } from './servers/server.ts';

export type Answers = { bodyBytes: number; headBytes: Record<string, number> };

/** Figures are only comparable when all send the same: 200, gzip, and the same bytes. */
export async function checkAnswers(servers: BenchServer[], path: string): Promise<Answers> {
  const headBytes: Record<string, number> = {};
  let first: Buffer | undefined;
  for (const { name, port } of servers) {
    const { response, body } = await fetchAnswer(port, path);
    const encoding = response.headers['content-encoding'];
    if (response.statusCode !== 200 || encoding !== 'gzip') {
      throw new Error(
        `${name} answers ${path} with ${response.statusCode}, encoding ${encoding}: expected 200, gzip`,
      );
    }
    first ??= body;
    if (!body.equals(first))
      throw new Error(`${name} answers ${path} with other bytes than ${servers[0]?.name}`);
    headBytes[name] = sizeOfHead(response);
  }
  return { bodyBytes: first?.length ?? 0, headBytes };
}

async function fetchAnswer(port: number, path: string): Promise<{ response: IncomingMessage; body: Buffer }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      {
        host: '127.0.0.1',
        port,
        path,
        headers: { 'accept-encoding': 'gzip', connection: 'keep-alive' },
        agent: false,
        signal: AbortSignal.timeout(10_000),
      },
      resolve,
    ).once('error', reject);
  });
  const body = await buffer(response);
  return { response, body };
}

/** Each raw header is a line 'Name: value' with its line end; the status line and the empty line come on top. */
function sizeOfHead({ rawHeaders, statusMessage = '' }: IncomingMessage): number {
  const lines = rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text, 'latin1') + 2, 0);
  return `HTTP/1.1 200 ${statusMessage}\r\n`.length + lines + 2;
}
