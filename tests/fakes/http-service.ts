import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

export type ReceivedRequest = { method: string; url: URL; headers: IncomingMessage['headers']; body: string };
export type Reply = { status: number; headers?: Record<string, string>; body?: string | Buffer };

/**
 * The result of one request. `isDone`: the service does its work and only the response fails, as after a gateway
 * timeout.
 */
export type Behaviour =
  | { kind: 'work' }
  | ({ kind: 'answer'; isDone?: boolean } & Reply)
  | { kind: 'hang'; isDone?: boolean }
  | { kind: 'reset'; isDone?: boolean }
  | { kind: 'drip'; isDone?: boolean };

export type HttpService = AsyncDisposable & {
  /** With a trailing slash. */
  url: string;
  origin: string;
  requests: ReceivedRequest[];
  /** Behaviours for the next requests, in order, then `work` again; or a function of the request. */
  script(next: Behaviour[] | ((seen: ReceivedRequest) => Behaviour)): void;
};

/** A real HTTP server that answers by `work` unless scripted otherwise. `headers` are in every response. */
export async function createHttpService(
  work: (seen: ReceivedRequest) => Reply,
  headers: Record<string, string> = {},
): Promise<HttpService> {
  const requests: ReceivedRequest[] = [];
  let next: (seen: ReceivedRequest) => Behaviour = () => ({ kind: 'work' });

  const server = createServer(async (request, response) => {
    const seen = await see(request).catch(() => undefined);
    if (!seen) return;
    requests.push(seen);
    // A CORS preflight does not use up a scripted behaviour.
    const behaviour: Behaviour = seen.method === 'OPTIONS' ? { kind: 'work' } : next(seen);
    const isWorking = behaviour.kind === 'work' || behaviour.isDone;
    const reply = isWorking ? work(seen) : { status: 200, body: '{}' };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    await behave(behaviour, reply, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: `${origin}/`,
    origin,
    requests,
    script(wanted) {
      const queue = Array.isArray(wanted) ? [...wanted] : [];
      next = typeof wanted === 'function' ? wanted : () => queue.shift() ?? { kind: 'work' };
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise(resolve => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function see(request: IncomingMessage): Promise<ReceivedRequest> {
  return {
    method: request.method ?? '',
    url: new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`),
    headers: request.headers,
    body: await text(request),
  };
}

async function behave(behaviour: Behaviour, worked: Reply, response: ServerResponse): Promise<void> {
  if (behaviour.kind === 'hang') return;
  if (behaviour.kind === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const reply = behaviour.kind === 'answer' ? behaviour : worked;
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
  if (behaviour.kind === 'drip') await drip(response);
  else response.end(reply.body ?? '');
}

/** One space after the other while the client is connected: JSON that never begins. */
async function drip(response: ServerResponse): Promise<void> {
  while (!response.closed) {
    response.write(' ');
    await wait(20);
  }
}
