import { connect } from 'node:net';

export type RawResponse = {
  /** Of every answer that came, in their order. */
  statuses: number[];
  text: string;
};

/** After this long without an answer the request counts as unfinished. A busy server may pause between two answers, too. */
const quietMs = 2000;

/**
 * Sends these bytes as they are, ends the sending half after so many answers, and listens until the server has closed:
 * an answer more than was expected is heard, too.
 */
export function sendRaw(port: number, bytes: string | Buffer, expected: number): Promise<RawResponse> {
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
    // A server that refuses in the middle may close before all was sent; what it said counts.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(quiet);
      resolve({ statuses: readStatuses(text), text });
    });
  });
}

/** Each answer says how long it is, so that none is taken for one within another. */
function readStatuses(text: string): number[] {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return [];
  const head = text.slice(0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const rest = readStatuses(text.slice(end + 4 + length));
  return status === 100 ? rest : [status, ...rest];
}
