import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export type PipelineLimits = {
  maxPending: number;
  maxBuffered: number;
};

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

type HttpSocket = Duplex & { parser?: unknown; _paused?: boolean; _httpMessage?: ServerResponse | null };

type Deferred = { request: IncomingMessage; response: ServerResponse; handle: RequestHandler };
type Pipeline = { pending: number; deferred: Deferred[]; isPaused: boolean };

// Backpressure for clients that pipeline requests. Node parses everything that one read returns, so requests beyond the
// limit are deferred; `parseInSlices` keeps them few.
export function createPipelines({ maxPending, maxBuffered }: PipelineLimits) {
  const pipelines = new WeakMap<Duplex, Pipeline>();

  function openPipeline(socket: Socket): Pipeline {
    const pipeline: Pipeline = { pending: 0, deferred: [], isPaused: false };
    pipelines.set(socket, pipeline);
    socket.on('resume', () => {
      if (pipeline.isPaused) socket.pause();
    });
    return pipeline;
  }

  function hasCapacity(socket: Socket, { pending }: Pipeline): boolean {
    return pending < maxPending && socket.writableLength <= maxBuffered;
  }

  function track(socket: Socket, pipeline: Pipeline, response: ServerResponse): void {
    pipeline.pending += 1;
    response.once('close', () => {
      pipeline.pending -= 1;
      if (!socket.destroyed) advance(socket, pipeline);
    });
  }

  function advance(socket: Socket, pipeline: Pipeline): void {
    while (hasCapacity(socket, pipeline)) {
      const next = pipeline.deferred.shift();
      if (!next) break;
      track(socket, pipeline, next.response);
      next.handle(next.request, next.response);
    }
    const wasPaused = pipeline.isPaused;
    pipeline.isPaused = !hasCapacity(socket, pipeline);
    if (pipeline.isPaused) socket.pause();
    else if (wasPaused && !isPausedByNode(socket)) socket.resume();
  }

  return {
    receive(request: IncomingMessage, response: ServerResponse, handle: RequestHandler): void {
      // Node has assigned the socket, so no earlier response is unanswered.
      if (response.socket) return void handle(request, response);
      const { socket } = request;
      if (!socket.writable) return;
      const pipeline = pipelines.get(socket) ?? openPipeline(socket);
      const first = currentResponse(socket);
      if (pipeline.pending === 0 && first) track(socket, pipeline, first);
      pipeline.deferred.push({ request, response, handle });
      advance(socket, pipeline);
    },
    holdWhileBuffered(socket: Socket, response: ServerResponse): void {
      if (socket.writableLength <= maxBuffered) return;
      const pipeline = pipelines.get(socket) ?? openPipeline(socket);
      if (pipeline.pending === 0) track(socket, pipeline, response);
      advance(socket, pipeline);
    },
    isPaused: (socket: Duplex): boolean => pipelines.get(socket)?.isPaused ?? false,
  };
}

const sliceBytes = 1024;
const slices = new WeakMap<Duplex, number>();

export function countSlices(socket: Duplex): number {
  return slices.get(socket) ?? 0;
}

// A read of 64 KB may bring 2,000 requests, for which Node would keep 4 MB: between slices the socket can be paused. Costs
// about a tenth more per request than Node's own parsing below JavaScript.
export function parseInSlices(socket: Socket & HttpSocket, isPaused: (socket: Socket) => boolean): void {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  if (!parse) return;
  socket.on('data', (bytes: Buffer) => {
    // A refused connection, or one that http has let go of, is not parsed.
    for (let at = 0; at < bytes.length && socket.writable && socket.parser; at += sliceBytes) {
      if (isPaused(socket) || isPausedByNode(socket)) {
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

/** Node itself pauses and resumes a socket whose write buffer is full. */
function isPausedByNode(socket: HttpSocket): boolean {
  return socket._paused === true;
}

export function currentResponse(socket: HttpSocket): ServerResponse | undefined {
  return socket._httpMessage ?? undefined;
}
