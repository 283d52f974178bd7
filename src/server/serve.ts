import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { stepPaths } from '../api/contract.ts';
import { within } from '../lib/clock.ts';
import { errorFields, type Log, loggedPath } from '../lib/log.ts';
import { answerFile } from './answer-file.ts';
import { createRequestCheck, healthPath, mostHeaders } from './check-request.ts';
import { createChunkLimit } from './chunks.ts';
import { createClientAddress } from './client-address.ts';
import { limitConnections, usualLimits } from './connections.ts';
import type { Files } from './files.ts';
import { type HeaderTable, headerSettings, headersFor } from './headers.ts';
import { currentResponse, type Handle } from './pipelines.ts';
import type { Wired } from './wire.ts';

export type Running = {
  port: number;
  /** Stops accepting, finishes what is under way, closes the store; goes on accepting for a while before that. */
  stop(drainMs?: number): Promise<void>;
};

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

const lastRequestMs = 250;
const stopWithinMs = 7500;
const storeWithinMs = 1500;
/** Time to read why one was refused. */
const lastWordMs = 2000;

const options: ServerOptions = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
  // Whoever names no host is refused by our own check, with our own headers.
  requireHostHeader: false,
  // A request without a body needs no stream to end.
  optimizeEmptyRequests: true,
};

/** Files are a look-up and come first; everything else is the app's. */
export function serve(wired: Wired, files: Files): Promise<Running> {
  const toApp = appListener(wired.app, wired);
  const toFile = fileListener(files, wired);
  return listen(
    wired,
    () => (request, response) =>
      (isForApp(request.url ?? '/', request.method) ? toApp : toFile)(request, response),
    createSiteCheck(wired),
  );
}

const posted: string[] = [stepPaths.confirm, stepPaths.leave];

/**
 * What is not a file: the API, the questions of whoever watches the process, and the buttons of pages whose form posts to
 * the page's own address.
 */
export function isForApp(url: string, method: string | undefined): boolean {
  if (url.startsWith('/api/') || healthPath.test(url)) return true;
  return method !== 'GET' && method !== 'HEAD' && posted.includes(url.split('?', 1)[0] ?? '');
}

export function appListener(
  app: Wired['app'],
  { config, log, refusals }: Pick<Wired, 'config' | 'log' | 'refusals'>,
): Listener {
  const headers = Object.entries(apiHeaders(config));
  const clientAddress = createClientAddress(config.trustedProxies, () =>
    log.warn('proxy not trusted', {
      why: 'X-Forwarded-For came from an address that TRUSTED_PROXIES does not name: its visitors count as one',
    }),
  );
  const answer = getRequestListener(askApp, {
    // The adapter's own Response is written as it stands; a native one costs more than all else that a post does.
    overrideGlobalObjects: true,
    // Checks by old load balancers come without a Host.
    hostname: 'localhost',
    errorHandler(error) {
      // An address that none can be made of, such as one with a backslash in it.
      if (error instanceof RequestError) {
        refusals.count({ status: 400 });
        return unreadableAddress(config);
      }
      log.error('request failed', errorFields(error));
      return new Response(null, { status: 500 });
    },
  });
  function askApp(
    request: Request,
    bindings: { incoming: { socket: { remoteAddress?: string | undefined } } },
  ) {
    const forwardedFor = request.headers.get('x-forwarded-for') ?? undefined;
    return app.fetch(request, {
      address: clientAddress(bindings.incoming.socket.remoteAddress, forwardedFor),
    });
  }
  return (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    return answer(request, response);
  };
}

function unreadableAddress(config: Wired['config']): Response {
  const { headers, body } = refusalOf(400, apiHeaders(config));
  return new Response(body, { status: 400, headers });
}

function apiHeaders(config: Wired['config']): HeaderTable {
  return headersFor('api', headerSettings(config));
}

function fileListener(files: Files, { log, ids, metrics }: Wired): Listener {
  const logsAll = log.shows('debug');
  return (request, response) => {
    const status = answerFile(files, request, response, metrics.onFile);
    if (!logsAll) return;
    const { method, url = '/' } = request;
    log.debug('file', { requestId: ids.request(), method, path: loggedPath(url), status });
  };
}

/** Names that point here without being ours, such as an address in numbers, are told of once: scanners use them daily. */
function createSiteCheck({ config: { siteUrl }, log }: Wired) {
  let isTold = false;
  return createRequestCheck(siteUrl, () => {
    if (!isTold) log.info('host not ours', { why: `answered 421 to a Host other than that of ${siteUrl}` });
    isTold = true;
  });
}

/** Opens the port for what `createListener` makes of the server, and knows how to close it again. */
export async function listen(
  wired: Wired,
  createListener: (server: Server) => Listener | Promise<Listener>,
  check = createRequestCheck(undefined),
): Promise<Running> {
  const { config, log, readiness, refusals } = wired;
  const headers = apiHeaders(config);
  let isLeaving = false;
  const server = createServer(options);
  server.maxHeadersCount = mostHeaders + 1;
  const connections = limitConnections(server, { most: config.maxConnections, ...usualLimits }, log);
  const listener = await createListener(server);
  function turnAway(response: ServerResponse, status: number): void {
    refusals.count({ status });
    refuse(response, status, headers);
  }
  const limitChunks = createChunkLimit((request, { socket }) => {
    // An answer can be given only where nothing else is being sent or comes before it.
    if (socket && refuseOnSocket(socket, 400, headers)) refusals.count({ status: 400 });
    else request.socket.destroy();
  });
  function handle(request: IncomingMessage, response: ServerResponse): void {
    // Whoever asked for another protocol goes on in this one, but on a connection of its own: after such a request Node
    // leaves what it cannot read without an answer.
    if (isLeaving || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const refusal = check(request);
    if (refusal) return void turnAway(response, refusal);
    try {
      const answered = listener(request, response);
      connections.answered(response);
      if (answered instanceof Promise) answered.catch(error => fail(error, response, headers, log));
    } catch (error) {
      fail(error, response, headers, log);
    }
  }
  const receiveFor =
    (handle: Handle): Handle =>
    (request, response) => {
      limitChunks(request, response);
      connections.receive(request, response, handle);
    };
  server.on('request', receiveFor(handle));
  server.on(
    'checkExpectation',
    receiveFor((_, response) => turnAway(response, 417)),
  );
  server.on('connect', (_, socket) => {
    refusals.count({ status: 405 });
    // http has let go of it: whoever breaks it off, or never ends it, is nobody else's to deal with.
    for (const event of ['error', 'timeout']) socket.on(event, () => socket.destroy());
    socket.end(writeRefusal(405, headers), () => socket.destroy());
  });
  server.on('clientError', (error, socket) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A client whose next request is left unread cannot be late with it; the stall limit goes on.
    // Node reports a request once, so this one gets as long as an answer may take.
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && (socket as Socket).isPaused())
      return destroyAfter(socket, usualLimits.answerMs);
    const status = unreadable[code] ?? 400;
    if (code !== 'ECONNRESET' && refuseOnSocket(socket, status, headers)) refusals.count({ status });
    else socket.destroy();
  });
  await bind(server, config.port, config.host);
  const { port } = server.address() as AddressInfo;

  async function stop(drainMs = config.drainMs): Promise<void> {
    isLeaving = true;
    readiness.leave();
    log.info('stopping', { drainMs });
    await new Promise(resolve => setTimeout(resolve, drainMs));
    // Deliveries under way have as long as requests: one that is cut off unsettled may be made twice.
    const delivered = within(stopWithinMs, wired.worker.stop()).catch(error =>
      log.error('deliveries not settled', errorFields(error)),
    );
    await Promise.all([closeServer(server), delivered]);
    await within(storeWithinMs, wired[Symbol.asyncDispose]()).catch(error =>
      log.error('store not closed', errorFields(error)),
    );
    log.info('stopped');
  }
  return { port, stop };
}

const unreadable: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** What never became a request gets a clear answer, too, where there is still somebody to hear it. */
function refuseOnSocket(socket: Duplex, status: number, common: HeaderTable): boolean {
  // An answer that is already on its way must not be cut in two.
  if (!socket.writable || currentResponse(socket)?.headersSent) return false;
  socket.end(writeRefusal(status, common));
  // Whoever goes on writing, byte by byte, would otherwise stay for as long as they like.
  destroyAfter(socket, lastWordMs);
  return true;
}

function destroyAfter(socket: Duplex, ms: number): void {
  const late = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(late));
}

/** Whoever sends what no browser sends is answered, and not listened to any longer. */
function refuse(response: ServerResponse, status: number, common: HeaderTable): void {
  const { headers, body } = refusalOf(status, common);
  response.writeHead(status, headers).end(body);
}

function writeRefusal(status: number, common: HeaderTable): string {
  const { headers, body } = refusalOf(status, common);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

function refusalOf(status: number, common: HeaderTable): { headers: HeaderTable; body: string } {
  const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status });
  const headers = {
    ...common,
    'Content-Type': 'application/problem+json',
    'Content-Length': String(body.length),
    Connection: 'close',
  };
  return { headers, body };
}

/** A surprise ends one request, never the process, and tells the visitor nothing. */
function fail(error: unknown, response: ServerResponse, headers: HeaderTable, log: Log): void {
  log.error('request failed', errorFields(error));
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { ...headers, 'Content-Length': '0' }).end();
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
