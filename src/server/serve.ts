import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Log, loggedPath } from '../lib/log.ts';
import { answerFile } from './answer-file.ts';
import type { Files } from './files.ts';
import { headersFor } from './headers.ts';
import type { Wired } from './wire.ts';

export type Running = {
  port: number;
  /** Stops accepting, finishes what is under way, closes the store. */
  stop(): Promise<void>;
};

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

const lastRequestMs = 250;
const stopWithinMs = 8000;
const apiHeaders = Object.entries(headersFor('api'));

const options: ServerOptions = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
  // A request without a body needs no stream to end.
  optimizeEmptyRequests: true,
};

/** Files are a look-up and come first; everything else is the app's. */
export async function serve(wired: Wired, files: Files): Promise<Running> {
  const toApp = appListener(wired.app);
  const toFile = fileListener(files, wired.log);
  return listen(wired, (request, response) =>
    (isForApp(request.url ?? '/') ? toApp : toFile)(request, response),
  );
}

/** What is not a file: the API, and the questions of whoever watches the process. */
export function isForApp(url: string): boolean {
  return url.startsWith('/api/') || /^\/(healthz|readyz)(\?|$)/.test(url);
}

export function appListener(app: Wired['app']): Listener {
  const answer = getRequestListener(request => app.fetch(request), { overrideGlobalObjects: false });
  return (request, response) => {
    for (const [name, value] of apiHeaders) response.setHeader(name, value);
    return answer(request, response);
  };
}

function fileListener(files: Files, log: Log): Listener {
  const logsAll = log.shows('debug');
  return (request, response) => {
    const status = answerFile(files, request, response);
    if (logsAll) log.debug('file', { method: request.method, path: loggedPath(request.url ?? '/'), status });
  };
}

export async function listen(wired: Wired, listener: Listener): Promise<Running> {
  const { config, log, readiness } = wired;
  let isLeaving = false;
  const server = createServer(options, (request, response) => {
    if (isLeaving) response.shouldKeepAlive = false;
    listener(request, response);
  });
  await bind(server, config.port, config.host);
  const { port } = server.address() as AddressInfo;

  async function stop(): Promise<void> {
    isLeaving = true;
    readiness.leave();
    log.info('stopping', { drainMs: config.drainMs });
    await new Promise(resolve => setTimeout(resolve, config.drainMs));
    await closeServer(server);
    await wired[Symbol.asyncDispose]();
    log.info('stopped');
  }
  return { port, stop };
}

/**
 * Takes no new connection, tells each open one with its next answer that it was the last, then ends those that asked
 * for nothing, and at last those that are stuck. http's own close would cut idle connections at once, and with them a
 * request that is already on its way.
 */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise(resolve => NetServer.prototype.close.call(server, resolve));
  const steps = [
    setTimeout(() => server.closeIdleConnections(), lastRequestMs),
    setInterval(() => server.closeIdleConnections(), 2 * lastRequestMs),
    setTimeout(() => server.closeAllConnections(), stopWithinMs),
  ];
  await closed;
  steps.forEach(clearTimeout);
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
