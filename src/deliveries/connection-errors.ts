const badCertificate = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE)/;

const unconnected = new Map([
  ['ENOTFOUND', 'host name not found'],
  ['EAI_AGAIN', 'host name could not be looked up'],
  ['ECONNREFUSED', 'connection refused'],
  ['EHOSTUNREACH', 'host not reachable'],
  ['ENETUNREACH', 'network not reachable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time'],
  ['EPROTO', 'TLS handshake failed'],
  ['HOSTNAME_MISMATCH', 'certificate is for another host'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate is for another host'],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', 'TLS handshake took too long'],
]);

/** Errors before the first byte of a request: nothing can have arrived. */
export function describeConnectError(code: string): string | undefined {
  return badCertificate.test(code) ? `certificate not accepted (${code})` : unconnected.get(code);
}
