import { connect } from 'node:net';

type RawResponse = {
  /** Of every response, in order. */
  statuses: number[];
  text: string;
};

/**
 * Sends the bytes unchanged, closes the sending half after the expected number of responses, and reads until the server
 * closes, so that an extra response is noticed. After `quietMs` without a response the request counts as incomplete.
 */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  expected: number,
  quietMs = 2000,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let quiet = setTimeout(() => socket.end(), quietMs);
    socket.setEncoding('latin1').on('data', chunk => {
      text += chunk;
      clearTimeout(quiet);
      if (readStatuses(text).length >= expected) socket.end();
      else quiet = setTimeout(() => socket.end(), quietMs);
    });
    socket.setTimeout(8000, () => socket.destroy(new Error(`no end after ${JSON.stringify(text)}`)));
    // A server that rejects early may close before all was sent; its response counts.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(quiet);
      resolve({ statuses: readStatuses(text), text });
    });
  });
}

/** Splits by Content-Length, so that no response within a body is counted. */
function readStatuses(text: string): number[] {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return [];
  const head = text.slice(0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const rest = readStatuses(text.slice(end + 4 + length));
  return status === 100 ? rest : [status, ...rest];
}
