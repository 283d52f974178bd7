import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { toNetworkError } from './connect-host.ts';
import type { TlsConnection, TlsVersion } from './network.ts';

export type HandshakeOptions = {
  host: string;
  minVersion?: TlsVersion | undefined;
  maxVersion?: TlsVersion | undefined;
  trustedRoots?: string[] | undefined;
  isWeb?: boolean;
};

/** Continues whatever the certificate is: whether a browser would is told by `problem`. */
export async function startTls(
  socket: Socket,
  { host, minVersion = 'TLSv1.2', maxVersion = 'TLSv1.3', trustedRoots, isWeb }: HandshakeOptions,
  signal: AbortSignal,
): Promise<{ secure: TLSSocket; tls: TlsConnection }> {
  const isOld = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
  const secure = connect({
    socket,
    servername: host,
    minVersion,
    maxVersion,
    rejectUnauthorized: false,
    // OpenSSL allows TLS 1.0 and 1.1 only at its lowest level.
    ...(isOld ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
    ...(isWeb ? { ALPNProtocols: ['http/1.1'] } : {}),
    ...(trustedRoots ? { ca: trustedRoots } : {}),
  });
  secure.on('error', () => undefined);
  try {
    const ended = once(secure, 'close', { signal }).then(() => {
      throw Object.assign(new Error(), { code: 'ECONNRESET' });
    });
    await Promise.race([once(secure, 'secureConnect', { signal }), ended]);
    return { secure, tls: readConnection(secure) };
  } catch (error) {
    secure.destroy();
    throw toNetworkError(error, signal);
  }
}

function readConnection(secure: TLSSocket): TlsConnection {
  const certificate = secure.getPeerCertificate(true);
  // Node gives a code where its types promise an Error.
  const problem = secure.authorizationError as unknown as string | undefined;
  return {
    protocol: secure.getProtocol() as TlsVersion,
    cipher: secure.getCipher().name,
    certificate,
    chainLength: countChain(certificate),
    problem: secure.authorized ? undefined : String(problem ?? 'unknown'),
  };
}

function countChain(leaf: DetailedPeerCertificate): number {
  const seen = new Set<string>();
  for (
    let one: DetailedPeerCertificate | undefined = leaf;
    one && !seen.has(one.fingerprint256);
    one = one.issuerCertificate
  )
    seen.add(one.fingerprint256);
  return seen.size;
}
