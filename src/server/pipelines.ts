import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export type PipelineLimits = {
  /** Unanswered requests of a connection: with so many it is not read. */
  maxUnanswered: number;
  /** Bytes of answers that a client has not taken: with more its connection is not read. */
  maxBuffered: number;
};

export type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** What Node keeps on the sockets of an HTTP server. */
type HttpSocket = Duplex & { parser?: unknown; _paused?: boolean; _httpMessage?: ServerResponse | null };

type Deferred = { request: IncomingMessage; response: ServerResponse; handle: Handle };
type Pipeline = { unanswered: number; deferred: Deferred[]; isHeld: boolean };

/**
 * Back-pressure for clients that send requests without waiting for the answers. Node parses all that a read has brought,
 * so requests beyond the limit are deferred; `parseInSlices` keeps them few.
 */
export function createPipelines({ maxUnanswered, maxBuffered }: PipelineLimits) {
  const pipelines = new WeakMap<Duplex, Pipeline>();

  function openPipeline(socket: Socket): Pipeline {
    const pipeline: Pipeline = { unanswered: 0, deferred: [], isHeld: false };
    pipelines.set(socket, pipeline);
    // Node resumes a socket at the end of each message.
    socket.on('resume', () => {
      if (pipeline.isHeld) socket.pause();
    });
    return pipeline;
  }

  function hasCapacity(socket: Socket, { unanswered }: Pipeline): boolean {
    return unanswered < maxUnanswered && socket.writableLength <= maxBuffered;
  }

  function track(socket: Socket, pipeline: Pipeline, response: ServerResponse): void {
    pipeline.unanswered += 1;
    response.once('close', () => {
      pipeline.unanswered -= 1;
      if (!socket.destroyed) advance(socket, pipeline);
    });
  }

  /** Handles what was deferred as far as there is capacity, and has the socket read where some is left. */
  function advance(socket: Socket, pipeline: Pipeline): void {
    while (hasCapacity(socket, pipeline)) {
      const next = pipeline.deferred.shift();
      if (!next) break;
      track(socket, pipeline, next.response);
      next.handle(next.request, next.response);
    }
    const wasHeld = pipeline.isHeld;
    pipeline.isHeld = !hasCapacity(socket, pipeline);
    if (pipeline.isHeld) socket.pause();
    else if (wasHeld && !isPausedByNode(socket)) socket.resume();
  }

  return {
    /** Handles the request now, or once enough of those before it on its connection are answered. */
    receive(request: IncomingMessage, response: ServerResponse, handle: Handle): void {
      // Node has given the socket to a response before which none is unanswered.
      if (response.socket) return void handle(request, response);
      const { socket } = request;
      if (!socket.writable) return;
      const pipeline = pipelines.get(socket) ?? openPipeline(socket);
      const first = currentResponse(socket);
      if (pipeline.unanswered === 0 && first) track(socket, pipeline, first);
      pipeline.deferred.push({ request, response, handle });
      advance(socket, pipeline);
    },
    /** A client that has not taken the most of this answer is not read meanwhile. */
    holdWhileBuffered(socket: Socket, response: ServerResponse): void {
      if (socket.writableLength <= maxBuffered) return;
      const pipeline = pipelines.get(socket) ?? openPipeline(socket);
      if (pipeline.unanswered === 0) track(socket, pipeline, response);
      advance(socket, pipeline);
    },
    isHeld: (socket: Duplex): boolean => pipelines.get(socket)?.isHeld ?? false,
  };
}

const sliceBytes = 1024;
const slices = new WeakMap<Duplex, number>();

/** How often a read of a connection was cut: each cut may have made two pieces of a chunk. */
export function countSlices(socket: Duplex): number {
  return slices.get(socket) ?? 0;
}

/**
 * Has a socket parsed in small slices, between which it can be held: a read of 64 KB may bring 2,000 requests, for which
 * Node would keep 4 MB. Costs about a tenth more per request than Node's own way, which parses below JavaScript.
 */
export function parseInSlices(socket: Socket & HttpSocket, isHeld: (socket: Socket) => boolean): void {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  if (!parse) return;
  socket.on('data', (bytes: Buffer) => {
    // Nothing is parsed on a connection that was refused, or that http has let go of.
    for (let at = 0; at < bytes.length && socket.writable && socket.parser; at += sliceBytes) {
      if (isHeld(socket) || isPausedByNode(socket)) {
        socket.pause();
        socket.unshift(bytes.subarray(at));
        return;
      }
      if (at > 0) slices.set(socket, countSlices(socket) + 1);
      parse(bytes.subarray(at, at + sliceBytes));
    }
  });
  socket.off('data', parse);
}

/** Node does so while the socket takes no more of the answers, and resumes it itself. */
function isPausedByNode(socket: HttpSocket): boolean {
  return socket._paused === true;
}

/** The response that is being written to a connection, or is the next to be. */
export function currentResponse(socket: HttpSocket): ServerResponse | undefined {
  return socket._httpMessage ?? undefined;
}
