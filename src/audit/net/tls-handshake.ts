import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { toNetworkError } from './connect-host.ts';
import type { TlsConnection, TlsVersion } from './network.ts';

export type HandshakeOptions = {
  host: string;
  minVersion?: TlsVersion | undefined;
  maxVersion?: TlsVersion | undefined;
  trustedRoots?: string[] | undefined;
  isWeb?: boolean;
};

/** A problem beside those of Node. */
export const commonNameOnly = 'COMMON_NAME_ONLY';

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
    ...(isWeb ? { ALPNProtocols: ['http/1.1'], checkServerIdentity: checkName } : {}),
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
  const certificate = secure.getPeerCertificate();
  // Node gives a code where its types promise an Error.
  const problem = secure.authorizationError as unknown as string | undefined;
  return {
    protocol: secure.getProtocol() as TlsVersion,
    cipher: secure.getCipher().name,
    certificate,
    chain: listSent(secure),
    problem: secure.authorized ? undefined : String(problem ?? 'unknown'),
  };
}

const maxChain = 10;

/** `getPeerCertificate(true)` would go on with roots of our own store, which the server never sent. */
function listSent(secure: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let one = secure.getPeerX509Certificate(); one && chain.length < maxChain; one = one.issuerCertificate)
    chain.push(one);
  return chain;
}

/** Browsers read no host from the common name. */
function checkName(host: string, certificate: PeerCertificate): Error | undefined {
  const error = checkServerIdentity(host, certificate);
  if (error || /(^|, )DNS:/.test(certificate.subjectaltname ?? '')) return error;
  return Object.assign(new Error(), { code: commonNameOnly });
}
