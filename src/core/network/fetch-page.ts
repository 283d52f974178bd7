import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { toNetworkError } from './connect-host.ts';
import { NetworkError } from './network-error.ts';

export type PageRequest = {
  url: URL;
  socket: Duplex;
  userAgent: string;
  origin: string | undefined;
  maxBytes: number;
};
export type PageResponse = {
  status: number;
  headers: [name: string, value: string][];
  body: string;
  isTruncated: boolean;
};

const maxHeaderSize = 32 * 1024;

/** One GET over a connection that is already made and vetted. Redirects are not followed. */
export async function requestPage(page: PageRequest, signal: AbortSignal): Promise<PageResponse> {
  const response = await waitForHeaders(page, signal);
  const { body, isTruncated } = await readBody(response, page.maxBytes);
  const raw = response.rawHeaders;
  const headers = raw.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? '']] : [],
  );
  return { status: response.statusCode ?? 0, headers, body, isTruncated };
}

function waitForHeaders(
  { url, socket, userAgent, origin, maxBytes }: PageRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const fail = (error: unknown) => reject(toNetworkError(error, signal));
  const sent = request({
    createConnection: () => socket,
    host: url.hostname,
    path: `${url.pathname}${url.search}`,
    maxHeaderSize,
    signal,
    headers: {
      Host: url.host,
      'User-Agent': userAgent,
      Accept: 'text/html,*/*;q=0.8',
      'Accept-Encoding': 'gzip, deflate, br',
      'Accept-Language': 'en',
      Connection: 'close',
      ...(origin ? { Origin: origin } : {}),
    },
  });
  // Interim responses and chunk extensions are no part of the body, and have no end of their own.
  let received = 0;
  sent.on('socket', () =>
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > 2 * maxBytes) socket.destroy(new NetworkError('a response over the limit', 'refused'));
    }),
  );
  sent.on('response', resolve);
  sent.on('error', fail);
  sent.on('upgrade', () => fail(new NetworkError('the server changed the protocol', 'refused')));
  sent.on('close', () => fail(new NetworkError('the server closed the connection', 'refused')));
  sent.end();
  return promise;
}

/** What was read before an error, a timeout or the limit is kept: the headers are known by then. */
async function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ body: string; isTruncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isTruncated = false;
  try {
    for await (const chunk of decompress(response, maxBytes)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) continue;
      isTruncated = true;
      break;
    }
  } catch {
    isTruncated = true;
  } finally {
    response.destroy();
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8'), isTruncated };
}

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Yields pieces of at most 16 KB, so that a small response that unpacks to gigabytes is stopped at the limit. */
async function* decompress(response: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const coding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return yield* response;
  if (!Object.hasOwn(decoders, coding)) throw new NetworkError('an unknown content encoding');
  const decoder = decoders[coding as keyof typeof decoders]({ chunkSize: 16 * 1024 });
  let received = 0;
  response.on('data', (chunk: Buffer) => {
    received += chunk.length;
    // Bytes that decode to nothing would otherwise be read without end.
    if (received > maxBytes) response.destroy(new NetworkError('a body over the limit'));
  });
  response.on('error', error => decoder.destroy(error));
  try {
    yield* response.pipe(decoder);
  } finally {
    decoder.destroy();
  }
}
