import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { connect, isIP } from 'node:net';
import { NetworkError } from './network-error.ts';

export type DnsServer = { ip: string; port: number };

export function listSystemDnsServers(): DnsServer[] {
  return getServers().map(parseDnsServer);
}

/** As Node writes them: an IP address, an IPv6 address in brackets with a port, or IPv4 with a port. */
export function parseDnsServer(text: string): DnsServer {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
  return { ip: bracketed ?? plain ?? text, port: Number(port ?? 53) };
}

/** One datagram there, one back. The kernel drops datagrams from other senders because the socket is connected. */
export function askByUdp(
  { ip, port }: DnsServer,
  query: Buffer,
  isAnswer: (message: Buffer) => boolean,
  signal: AbortSignal,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = createSocket(isIP(ip) === 6 ? 'udp6' : 'udp4');
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  socket.on('error', reject);
  socket.on('message', message => isAnswer(message) && resolve(message));
  // Called with the error where the address cannot be reached, which its types do not say.
  const send = (failure?: Error) =>
    failure ? reject(failure) : socket.send(query, error => error && reject(error));
  socket.connect(port, ip, send as () => void);
  return promise.finally(() => {
    signal.removeEventListener('abort', abort);
    // An error after the close has no listener left to report it to, and does not matter.
    socket.on('error', () => undefined).close();
  });
}

/** For answers that do not fit into a datagram: a length of two bytes before each message. */
export async function askByTcp(
  { ip, port }: DnsServer,
  query: Buffer,
  isAnswer: (message: Buffer) => boolean,
  signal: AbortSignal,
): Promise<Buffer> {
  const socket = connect({ host: ip, port });
  const abort = () => socket.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.length);
    socket.write(Buffer.concat([length, query]));
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      const size = received.length < 2 ? Number.POSITIVE_INFINITY : received.readUInt16BE();
      if (received.length < size + 2) continue;
      const message = received.subarray(2, size + 2);
      if (isAnswer(message)) return message;
      break;
    }
    throw new NetworkError('the DNS resolver broke off', 'dns');
  } finally {
    signal.removeEventListener('abort', abort);
    socket.on('error', () => undefined).destroy();
  }
}
