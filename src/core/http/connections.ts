import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../log.ts';
import {
  createPipelines,
  currentResponse,
  limitPipeline,
  type PipelineLimits,
  type RequestHandler,
} from './http-pipelining.ts';

export type ConnectionLimits = PipelineLimits & {
  max: number;
  stalledMs: number;
  responseTimeoutMs: number;
  busyMs: number;
};

export const defaultLimits = {
  stalledMs: 30_000,
  responseTimeoutMs: 120_000,
  busyMs: 5000,
  maxPending: 8,
  maxBuffered: 256 * 1024,
} satisfies Partial<ConnectionLimits>;

const nearLimitRatio = 0.9;
const shedEveryMs = 250;
const warnEveryMs = 60_000;

/** Against slow clients (Slowloris): near the maximum, idle and long-busy connections are closed first. */
export function limitConnections(
  server: Server,
  { max, stalledMs, responseTimeoutMs, busyMs, ...pipelineLimits }: ConnectionLimits,
  log: Log,
) {
  const open = new Map<Socket, number>();
  const withoutRequest = new Set<Socket>();
  const crowded = max * nearLimitRatio;
  let shedAt = Number.NEGATIVE_INFINITY;
  let warnedAt = Number.NEGATIVE_INFINITY;
  const pipelines = createPipelines(pipelineLimits);
  server.maxConnections = max;
  server.timeout = stalledMs;

  function forget(socket: Socket): void {
    open.delete(socket);
    withoutRequest.delete(socket);
  }

  function closeSocket(socket: Socket): void {
    forget(socket);
    socket.destroy();
  }

  function shedConnections(): void {
    const now = performance.now();
    if (now - warnedAt > warnEveryMs) {
      warnedAt = now;
      log.warn('connection limit near', { open: open.size, max });
    }
    if (now - shedAt > shedEveryMs) {
      shedAt = now;
      // closeIdleConnections() would close those that were opened a moment ago, too.
      for (const [socket, since] of open) {
        const isIdle = !withoutRequest.has(socket) && !currentResponse(socket);
        if (isIdle || now - since > busyMs) closeSocket(socket);
      }
    }
    const [first] = withoutRequest;
    if (first && open.size > crowded) closeSocket(first);
  }

  server.on('connection', socket => {
    open.set(socket, performance.now());
    limitPipeline(socket);
    withoutRequest.add(socket);
    socket.once('close', () => forget(socket));
    if (open.size > crowded) shedConnections();
  });
  server.on('drop', shedConnections);

  return {
    receive(request: IncomingMessage, response: ServerResponse, handle: RequestHandler): void {
      const { socket } = request;
      withoutRequest.delete(socket);
      open.set(socket, performance.now());
      pipelines.receive(request, response, handle);
    },
    onResponse(response: ServerResponse): void {
      const { socket } = response;
      if (!socket || socket.writableLength === 0) return;
      const late = setTimeout(() => socket.destroy(), responseTimeoutMs);
      response.once('close', () => clearTimeout(late));
      pipelines.holdWhileBuffered(socket);
    },
  };
}
