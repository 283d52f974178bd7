import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { createAuthority } from './certificate.ts';
import { createFloodServer, type Flood } from './tls-flood.ts';

const authority = createAuthority();

/** Offers nothing but Diffie-Hellman over numbers of 10,000 bits, which cost a client a second. */
export function createDiffieHellman(host: string): TlsOptions {
  return {
    ...authority.issue({ hosts: [host], keys: generateKeyPairSync('rsa', { modulusLength: 2048 }) }),
    ...{ dhparam: createParameters(10_000), maxVersion: 'TLSv1.2', ciphers: 'DHE-RSA-AES128-GCM-SHA256' },
  };
}

export function createLongChain(host: string): TlsOptions {
  const { key, cert } = authority.issue({ hosts: [host] });
  const more = Array.from({ length: 71 }, () => authority.issue({ hosts: [host] }).cert);
  return { key, cert: cert + more.join('') };
}

/** Records without data, after each handshake. Not for long: making them takes time, also from the honest servers of this process. */
export function createFlood(host: string, flood: Flood): Server {
  return createFloodServer(authority.issue({ hosts: [host] }), flood, 1000);
}

/** No prime: clients do not look. */
function createParameters(bits: number): string {
  const prime = randomBytes(bits / 8);
  prime[0] = 0x7f;
  prime[prime.length - 1] = 0xff;
  const long = (tag: number, { length }: Buffer) => Buffer.from([tag, 0x82, length >> 8, length & 0xff]);
  const content = Buffer.concat([long(2, prime), prime, Buffer.from([2, 1, 2])]);
  const text = Buffer.concat([long(0x30, content), content]).toString('base64');
  return `-----BEGIN DH PARAMETERS-----\n${text.replaceAll(/.{64}/g, '$&\n')}\n-----END DH PARAMETERS-----\n`;
}

/** The port of a server that survives its clients. */
export async function listenLocally(server: Server, stack: AsyncDisposableStack): Promise<number> {
  server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}
