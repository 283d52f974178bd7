/** `about`: what to check, as far as the code tells. */
export type ConnectError = { about: 'host' | 'encryption' | 'connection'; reason: string };

const badCertificate = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE)/;

const unconnected: Record<ConnectError['about'], Record<string, string>> = {
  host: {
    ENOTFOUND: 'host name not found',
    EAI_AGAIN: 'host name could not be looked up',
  },
  connection: {
    ECONNREFUSED: 'connection refused',
    EHOSTUNREACH: 'host not reachable',
    ENETUNREACH: 'network not reachable',
    UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  },
  encryption: {
    EPROTO: 'TLS handshake failed',
    HOSTNAME_MISMATCH: 'certificate is for another host',
    ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host',
    ERR_TLS_HANDSHAKE_TIMEOUT: 'TLS handshake took too long',
  },
};

/** Errors before the first byte of a request: nothing can have arrived. */
export function describeConnectError(code: string): ConnectError | undefined {
  if (badCertificate.test(code)) return { about: 'encryption', reason: `certificate not accepted (${code})` };
  for (const about of ['host', 'connection', 'encryption'] as const) {
    const reason = Object.hasOwn(unconnected[about], code) && unconnected[about][code];
    if (reason) return { about, reason };
  }
  return undefined;
}
