import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../lib/log.ts';
import {
  createPipelines,
  currentResponse,
  type Handle,
  type PipelineLimits,
  parseInSlices,
} from './pipelines.ts';

export type ConnectionLimits = PipelineLimits & {
  /** Connections at the same time. */
  most: number;
  /** Nothing of an answer was taken for so long: nobody reads it. */
  stalledMs: number;
  /** The whole of an answer must have left by then, however slowly it is read. */
  answerMs: number;
  /** What is asked or answered for longer makes room, where that is scarce. */
  busyMs: number;
};

/** On the slowest of mobile networks the largest of our files has arrived by then. */
export const usualLimits = {
  stalledMs: 30_000,
  answerMs: 120_000,
  busyMs: 5000,
  maxUnanswered: 8,
  maxBuffered: 256 * 1024,
} satisfies Partial<ConnectionLimits>;

/** From here on there must be room for those who come. */
const crowdedShare = 0.9;
const shedEveryMs = 250;
const warnEveryMs = 60_000;

/**
 * Slow clients cost a connection each, and must not cost visitors theirs. Before the ceiling is reached, those who wait for
 * nothing or take very long are let go, then those who came first and have not said yet what they want.
 */
export function limitConnections(
  server: Server,
  { most, stalledMs, answerMs, busyMs, ...pipelineLimits }: ConnectionLimits,
  log: Log,
) {
  /** Since when they are there, or are busy with what they last asked for. */
  const open = new Map<Socket, number>();
  const silent = new Set<Socket>();
  const crowded = most * crowdedShare;
  let shedAt = Number.NEGATIVE_INFINITY;
  let warnedAt = Number.NEGATIVE_INFINITY;
  const pipelines = createPipelines(pipelineLimits);
  server.maxConnections = most;
  server.timeout = stalledMs;

  function forget(socket: Socket): void {
    open.delete(socket);
    silent.delete(socket);
  }

  function letGo(socket: Socket): void {
    forget(socket);
    socket.destroy();
  }

  function makeRoom(): void {
    const now = performance.now();
    if (now - warnedAt > warnEveryMs) {
      warnedAt = now;
      log.warn('connections scarce', { open: open.size, most });
    }
    if (now - shedAt > shedEveryMs) {
      shedAt = now;
      // http's own list of idle connections holds those that were opened a moment ago, too.
      for (const [socket, since] of open) {
        const isIdle = !silent.has(socket) && !currentResponse(socket);
        if (isIdle || now - since > busyMs) letGo(socket);
      }
    }
    const [first] = silent;
    if (first && open.size > crowded) letGo(first);
  }

  server.on('connection', socket => {
    open.set(socket, performance.now());
    parseInSlices(socket, pipelines.isHeld);
    silent.add(socket);
    socket.once('close', () => forget(socket));
    if (open.size > crowded) makeRoom();
  });
  server.on('drop', makeRoom);

  return {
    /** It has said what it wants, and gets it when enough of what it asked for before is answered. */
    receive(request: IncomingMessage, response: ServerResponse, handle: Handle): void {
      const { socket } = request;
      silent.delete(socket);
      open.set(socket, performance.now());
      pipelines.receive(request, response, handle);
    },
    /** What the network did not take at once is waited for, and not for ever. */
    answered(response: ServerResponse): void {
      const { socket } = response;
      if (!socket || socket.writableLength === 0) return;
      const late = setTimeout(() => socket.destroy(), answerMs);
      response.once('close', () => clearTimeout(late));
      pipelines.holdWhileBuffered(socket, response);
    },
  };
}
