import type { Failure, FailureCode } from './failures.ts';

/** `about`: what to check, as far as the code tells. */
export type ConnectError = { about: 'host' | 'encryption' | 'connection'; failure: Failure };

const badCertificate = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE)/;

const unconnected: Record<ConnectError['about'], Record<string, FailureCode>> = {
  host: {
    ENOTFOUND: 'host-not-found',
    EAI_AGAIN: 'host-not-looked-up',
  },
  connection: {
    ECONNREFUSED: 'connection-refused',
    EHOSTUNREACH: 'host-not-reachable',
    ENETUNREACH: 'network-not-reachable',
    UND_ERR_CONNECT_TIMEOUT: 'connection-timeout',
  },
  encryption: {
    EPROTO: 'tls-failed',
    HOSTNAME_MISMATCH: 'certificate-of-another-host',
    ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-of-another-host',
    ERR_TLS_HANDSHAKE_TIMEOUT: 'tls-timeout',
  },
};

/** Errors before the first byte of a request: nothing can have arrived. */
export function explainConnectError(code: string): ConnectError | undefined {
  if (badCertificate.test(code))
    return { about: 'encryption', failure: { code: 'certificate-not-accepted', cause: code } };
  for (const about of ['host', 'connection', 'encryption'] as const) {
    const known = Object.hasOwn(unconnected[about], code) && unconnected[about][code];
    if (known) return { about, failure: { code: known } as Failure };
  }
  return undefined;
}
