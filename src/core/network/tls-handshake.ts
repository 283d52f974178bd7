import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { toNetworkError } from './connect-host.ts';
import type { TlsConnection, TlsVersion } from './network.ts';
import { NetworkError } from './network-error.ts';

export type HandshakeOptions = {
  host: string;
  minVersion?: TlsVersion | undefined;
  maxVersion?: TlsVersion | undefined;
  trustedRoots?: string[] | undefined;
  isWeb?: boolean;
};

/** A problem beside those of Node. */
export const commonNameOnly = 'COMMON_NAME_ONLY';

/**
 * What browsers offer, in Chromium or Firefox, besides TLS 1.3. Finite-field Diffie-Hellman is not among it: the server
 * chooses the numbers, and with 10,000 bits they cost the client a second. Mail servers offer less, so for them it alone is
 * left out.
 */
const offers = {
  web: {
    ciphers: [
      'ECDHE-ECDSA-AES128-GCM-SHA256',
      'ECDHE-RSA-AES128-GCM-SHA256',
      'ECDHE-ECDSA-AES256-GCM-SHA384',
      'ECDHE-RSA-AES256-GCM-SHA384',
      'ECDHE-ECDSA-CHACHA20-POLY1305',
      'ECDHE-RSA-CHACHA20-POLY1305',
      'ECDHE-ECDSA-AES128-SHA',
      'ECDHE-ECDSA-AES256-SHA',
      'ECDHE-RSA-AES128-SHA',
      'ECDHE-RSA-AES256-SHA',
      'AES128-GCM-SHA256',
      'AES256-GCM-SHA384',
      'AES128-SHA',
      'AES256-SHA',
    ].join(':'),
    ecdhCurve: 'X25519:P-256:P-384:P-521',
  },
  mail: { ciphers: 'DEFAULT:!kDHE', ecdhCurve: 'X25519:P-256:X448:P-384:P-521' },
};

/** Continues whatever the certificate is: whether a browser would is told by `problem`. */
export async function startTls(
  socket: Socket,
  { host, minVersion = 'TLSv1.2', maxVersion = 'TLSv1.3', trustedRoots, isWeb }: HandshakeOptions,
  signal: AbortSignal,
): Promise<{ secure: TLSSocket; tls: TlsConnection }> {
  const isOld = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
  const { ciphers, ecdhCurve } = offers[isWeb ? 'web' : 'mail'];
  const secure = connect({
    socket,
    servername: host,
    minVersion,
    maxVersion,
    rejectUnauthorized: false,
    // OpenSSL allows TLS 1.0 and 1.1 only at its lowest level.
    ciphers: isOld ? `${ciphers}:@SECLEVEL=0` : ciphers,
    ecdhCurve,
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

/** More than any chain that is trusted. */
const maxChain = 10;

/** `getPeerCertificate(true)` would go on with roots of our own store, which the server never sent. */
function listSent(secure: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let one = secure.getPeerX509Certificate(); one; one = one.issuerCertificate) {
    if (chain.length === maxChain)
      throw new NetworkError(`the server sends more than ${maxChain} certificates`, 'limit');
    chain.push(one);
  }
  return chain;
}

/** Browsers read no host from the common name. */
function checkName(host: string, certificate: PeerCertificate): Error | undefined {
  const error = checkServerIdentity(host, certificate);
  if (error || /(^|, )DNS:/.test(certificate.subjectaltname ?? '')) return error;
  return Object.assign(new Error(), { code: commonNameOnly });
}
