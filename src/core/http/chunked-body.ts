import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { countSlices } from './http-pipelining.ts';

/** Each chunk costs the same work, however short: after the first thousand, the average size has a minimum. */
const chunksBeforeCheck = 1000;
const minAverage = 64;
/** The head counts as well, so that a proxy may send any number of short bodies on one connection. */
const headBytes = 4 * minAverage;

const { push } = IncomingMessage.prototype;

/** Counts chunks whether or not the body is read. `onTooSmall` has to close the connection: its body never ends. */
export function createChunkLimit(onTooSmall: (request: IncomingMessage, response: ServerResponse) => void) {
  const counts = new WeakMap<Socket, { chunks: number; bytes: number }>();

  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers['transfer-encoding'] === undefined) return;
    const count = counts.get(request.socket) ?? { chunks: 0, bytes: 0 };
    counts.set(request.socket, count);
    count.bytes += headBytes;
    let isRejected = false;
    request.push = (chunk: Buffer | null) => {
      if (isRejected) return false;
      if (chunk === null) return push.call(request, null);
      count.chunks += 1;
      count.bytes += chunk.length;
      const whole = count.chunks - countSlices(request.socket);
      isRejected = count.chunks > chunksBeforeCheck && count.bytes < minAverage * whole;
      if (!isRejected) return push.call(request, chunk);
      onTooSmall(request, response);
      return false;
    };
    // Node drops the chunks of a body that was not read before they are pushed, unless the body flows.
    response.prependOnceListener('finish', () => {
      if (request.readableFlowing === null) request.resume();
    });
  };
}
