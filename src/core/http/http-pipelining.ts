import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export type PipelineLimits = {
  maxPending: number;
  maxBuffered: number;
};

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

type Deferred = { request: IncomingMessage; response: ServerResponse; handle: RequestHandler };

type Connection = {
  socket: Socket;
  /** In the order of their requests, those of deferred requests included. */
  responses: ServerResponse[];
  deferred: Deferred[];
  isFull: boolean;
  isParsing: boolean;
  /** Because its write buffer is full or nobody reads a body: Node resumes the socket then. */
  isPausedByNode: boolean;
  slices: number;
  onData?: (bytes: Buffer) => void;
};

const connections = new WeakMap<Duplex, Connection>();
const sliceBytes = 1024;

// Backpressure for clients that pipeline requests. A read of 64 KB may bring 2,000 requests, for which Node would keep 4 MB: it
// is parsed in slices, between which the socket can be paused. Costs about a tenth more per request than Node's own parsing.
export function limitPipeline(socket: Socket): void {
  const connection: Connection = {
    socket,
    responses: [],
    deferred: [],
    isFull: false,
    isParsing: false,
    isPausedByNode: false,
    slices: 0,
  };
  connections.set(socket, connection);
  socket.on('resume', () => {
    connection.isPausedByNode = false;
    if (connection.isFull) socket.pause();
  });
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  if (!parse) return;
  connection.onData = (bytes: Buffer) => {
    // A refused connection is not parsed.
    for (let at = 0; at < bytes.length && socket.writable; at += sliceBytes) {
      if (socket.isPaused() || !connections.has(socket)) return socket.unshift(bytes.subarray(at));
      if (at > 0) connection.slices += 1;
      connection.isParsing = true;
      parse(bytes.subarray(at, at + sliceBytes));
      connection.isParsing = false;
      // Nothing of ours pauses the socket meanwhile.
      connection.isPausedByNode = socket.isPaused();
      if (connection.isFull) socket.pause();
    }
  };
  socket.on('data', connection.onData);
  socket.off('data', parse);
}

/** After an upgrade or CONNECT, when Node's parser belongs to another connection. */
export function releaseSocket(socket: Duplex): void {
  const connection = connections.get(socket);
  if (!connection) return;
  connections.delete(socket);
  connection.isFull = false;
  if (connection.onData) socket.off('data', connection.onData);
}

/** Slices that began within a read, each of which may have split a chunk. */
export function countSlices(socket: Duplex): number {
  return connections.get(socket)?.slices ?? 0;
}

export function currentResponse(socket: Duplex): ServerResponse | undefined {
  return connections.get(socket)?.responses.find(response => response.socket);
}

/** Node parses everything that one slice returns, so requests beyond the limit are deferred. */
export function createPipelines({ maxPending, maxBuffered }: PipelineLimits) {
  function hasCapacity({ socket, responses, deferred }: Connection): boolean {
    return responses.length - deferred.length < maxPending && socket.writableLength <= maxBuffered;
  }

  function advance(connection: Connection): void {
    const { socket, deferred, isFull: wasFull } = connection;
    while (hasCapacity(connection)) {
      const next = deferred.shift();
      if (!next) break;
      next.handle(next.request, next.response);
    }
    connection.isFull = !hasCapacity(connection);
    if (connection.isFull && !connection.isParsing) socket.pause();
    else if (wasFull && !connection.isFull && !connection.isPausedByNode) socket.resume();
  }

  return {
    receive(request: IncomingMessage, response: ServerResponse, handle: RequestHandler): void {
      const connection = connections.get(request.socket);
      if (!connection) return void handle(request, response);
      const { responses } = connection;
      responses.push(response);
      response.once('close', () => {
        responses.splice(responses.indexOf(response), 1);
        if (connection.isFull && !request.socket.destroyed) advance(connection);
      });
      // Node has assigned the socket, so no earlier response is unanswered.
      if (response.socket) return void handle(request, response);
      if (!request.socket.writable) return;
      connection.deferred.push({ request, response, handle });
      advance(connection);
    },
    holdWhileBuffered(socket: Socket): void {
      const connection = connections.get(socket);
      if (connection && socket.writableLength > maxBuffered) advance(connection);
    },
  };
}
