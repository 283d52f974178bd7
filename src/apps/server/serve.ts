import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, type Http2Bindings, type HttpBindings, RequestError } from '@hono/node-server';
import {
  buildErrorResponse,
  buildWrongHostResponse,
  formatErrorResponse,
} from '../../core/http/build-error-response.ts';
import { createRequestCheck, maxHeaders } from '../../core/http/check-request.ts';
import { createChunkLimit } from '../../core/http/chunked-body.ts';
import { createClientIp } from '../../core/http/client-ip.ts';
import { defaultLimits, limitConnections } from '../../core/http/connections.ts';
import { createAppMatcher } from '../../core/http/create-app.ts';
import { type HeaderTable, headerSettings, headersFor } from '../../core/http/headers.ts';
import { currentResponse, type RequestHandler, releaseSocket } from '../../core/http/http-pipelining.ts';
import { respondWithFile } from '../../core/http/serve-file.ts';
import type { Files } from '../../core/http/static-files.ts';
import { errorFields, type Log, redactPath } from '../../core/log.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { endpoints } from './app.ts';
import type { Services } from './wire.ts';

export type RunningServer = {
  port: number;
  stop(drainMs?: number): Promise<void>;
};

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

const idleGraceMs = 250;
const stopTimeoutMs = 7500;
const storeCloseTimeoutMs = 1500;
const closeTimeoutMs = 2000;
/** Connections that wait to be accepted: as many as the system allows, which lowers it to its own limit (Linux: net.core.somaxconn). */
const backlog = 65_535;

const options: ServerOptions = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
  requireHostHeader: false,
  optimizeEmptyRequests: true,
};

export function serve(services: Services, files: Files): Promise<RunningServer> {
  const toApi = apiListener(services.app, services);
  const toFile = fileListener(files, services);
  return listen(
    services,
    () => (request, response) =>
      (isForApi(request.url ?? '/', request.method) ? toApi : toFile)(request, response),
    createHostCheck(services),
  );
}

export const isForApi = createAppMatcher(endpoints);

export function apiListener(
  app: Services['app'],
  { config, log, errorResponses }: Pick<Services, 'config' | 'log' | 'errorResponses'>,
): Listener {
  const headers = Object.entries(apiHeaders(config));
  const clientIp = createClientIp(config.trustedProxies, () =>
    log.warn('proxy not trusted', {
      reason:
        'X-Forwarded-For came from an address that TRUSTED_PROXIES does not name: its visitors count as one',
    }),
  );
  const callApp = (request: Request, { incoming }: HttpBindings | Http2Bindings) => {
    const forwardedFor = request.headers.get('x-forwarded-for') ?? undefined;
    return app.fetch(request, { ip: clientIp(incoming.socket.remoteAddress, forwardedFor) });
  };
  const handleApiRequest = getRequestListener(callApp, {
    // The adapter writes its own Response directly; a native one costs more than the rest of a post.
    overrideGlobalObjects: true,
    hostname: 'localhost',
    errorHandler(error) {
      if (error instanceof RequestError) {
        errorResponses.count({ status: 400 });
        const { headers, body } = buildErrorResponse(400, apiHeaders(config));
        return new Response(body, { status: 400, headers });
      }
      log.error('request failed', errorFields(error));
      return new Response(null, { status: 500 });
    },
  });
  return (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    return handleApiRequest(request, response);
  };
}

function apiHeaders(config: Services['config']): HeaderTable {
  return headersFor('api', headerSettings(config));
}

function fileListener(files: Files, { log, ids, metrics }: Services): Listener {
  const logsAll = log.isEnabled('debug');
  return (request, response) => {
    const status = respondWithFile(files, request, response, metrics.onFile);
    if (!logsAll) return;
    const { method, url = '/' } = request;
    log.debug('static file served', { requestId: ids.uuid(), method, path: redactPath(url), status });
  };
}

/** Logged once: scanners send requests by IP address daily. */
function createHostCheck({ config: { siteUrl }, log }: Services) {
  let isLogged = false;
  return createRequestCheck(siteUrl, () => {
    if (!isLogged)
      log.info('unknown host', { reason: `answered 421 to a Host other than that of ${siteUrl}` });
    isLogged = true;
  });
}

export async function listen(
  services: Services,
  createListener: (server: Server) => Listener | Promise<Listener>,
  check = createRequestCheck(undefined),
): Promise<RunningServer> {
  const { config, log, readiness, errorResponses } = services;
  const headers = apiHeaders(config);
  let isShuttingDown = false;
  const server = createServer(options);
  server.maxHeadersCount = maxHeaders + 1;
  const connections = limitConnections(server, { max: config.maxConnections, ...defaultLimits }, log);
  const listener = await createListener(server);
  // Only beside another listener: with one, Node expects it to answer.
  if (server.listenerCount('upgrade') > 0)
    server.prependListener('upgrade', (_, socket) => releaseSocket(socket));
  function sendError(response: ServerResponse, status: number, request?: IncomingMessage): void {
    errorResponses.count({ status });
    const refusal =
      status === 421 && config.siteUrl && request
        ? buildWrongHostResponse(request, config.siteUrl, headerSettings(config))
        : buildErrorResponse(status, headers);
    response.writeHead(status, refusal.headers).end(refusal.body);
  }
  const limitChunks = createChunkLimit((request, { socket }) => {
    if (socket && endWithError(socket, 400, headers)) errorResponses.count({ status: 400 });
    else request.socket.destroy();
  });
  function handle(request: IncomingMessage, response: ServerResponse): void {
    // After an upgrade request Node does not answer what it cannot parse, so the connection is closed.
    if (isShuttingDown || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const refusal = check(request);
    if (refusal) return void sendError(response, refusal, request);
    try {
      const answered = listener(request, response);
      connections.onResponse(response);
      if (answered instanceof Promise) answered.catch(error => fail(error, response, headers, log));
    } catch (error) {
      fail(error, response, headers, log);
    }
  }
  const receiveFor =
    (handle: RequestHandler): RequestHandler =>
    (request, response) => {
      limitChunks(request, response);
      connections.receive(request, response, handle);
    };
  server.on('request', receiveFor(handle));
  server.on(
    'checkExpectation',
    receiveFor((_, response) => sendError(response, 417)),
  );
  server.on('connect', (_, socket) => {
    releaseSocket(socket);
    errorResponses.count({ status: 405 });
    // http has let go of the socket, so its errors and timeouts are ours to handle.
    for (const event of ['error', 'timeout']) socket.on(event, () => socket.destroy());
    socket.end(formatErrorResponse(405, headers), () => socket.destroy());
  });
  server.on('clientError', (error, socket) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A paused client cannot be late with its request. Node reports the timeout once, so this one replaces it.
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && (socket as Socket).isPaused())
      return destroyAfter(socket, defaultLimits.responseTimeoutMs);
    const status = clientErrorStatuses[code] ?? 400;
    if (code !== 'ECONNRESET' && endWithError(socket, status, headers)) errorResponses.count({ status });
    else socket.destroy();
  });
  server.listen({ port: config.port, host: config.host, backlog });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function stop(drainMs = config.drainMs): Promise<void> {
    isShuttingDown = true;
    readiness.startShutdown();
    log.info('stopping', { drainMs });
    await new Promise(resolve => setTimeout(resolve, drainMs));
    // Their visitors are told at once, instead of being cut off at the end of the wait for requests.
    for (const { stop } of services.started.all) await stop?.();
    // A delivery that is interrupted may be made twice, so deliveries get as long as requests.
    const delivered = withTimeout(stopTimeoutMs, services.worker.stop()).catch(error =>
      log.error('deliveries not settled', errorFields(error)),
    );
    await Promise.all([closeServer(server), delivered]);
    await withTimeout(storeCloseTimeoutMs, services[Symbol.asyncDispose]()).catch(error =>
      log.error('store not closed', errorFields(error)),
    );
    log.info('stopped');
  }
  return { port, stop };
}

const clientErrorStatuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

function endWithError(socket: Duplex, status: number, common: HeaderTable): boolean {
  // A response that is already being sent must not be cut in two.
  if (!socket.writable || currentResponse(socket)?.headersSent) return false;
  socket.end(formatErrorResponse(status, common));
  destroyAfter(socket, closeTimeoutMs);
  return true;
}

function destroyAfter(socket: Duplex, ms: number): void {
  const late = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(late));
}

/** An unexpected error ends one request, never the process, and its details are not sent. */
function fail(error: unknown, response: ServerResponse, headers: HeaderTable, log: Log): void {
  log.error('request failed', errorFields(error));
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { ...headers, 'Content-Length': '0' }).end();
}

/** http's own close would cut idle connections at once, and with them a request that is already on its way. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise(resolve => NetServer.prototype.close.call(server, resolve));
  const steps = [
    setTimeout(() => server.closeIdleConnections(), idleGraceMs),
    setInterval(() => server.closeIdleConnections(), 2 * idleGraceMs),
    setTimeout(() => server.closeAllConnections(), stopTimeoutMs),
  ];
  await closed;
  steps.forEach(clearTimeout);
}
