/** Of one audit and of one fetch. Tests hand in smaller ones. */
export type NetworkLimits = {
  connections: number;
  /** Connections at the same time, as many as a browser opens to one host. */
  concurrency: number;
  dnsQueries: number;
  redirects: number;
  /** Of a body, both as it comes over the wire and decompressed. */
  bodyBytes: number;
  fetchMs: number;
  /** For one datagram to one resolver; the next is asked after it. */
  dnsMs: number;
};

export const auditLimits: NetworkLimits = {
  connections: 40,
  concurrency: 6,
  dnsQueries: 150,
  redirects: 3,
  bodyBytes: 512 * 1024,
  fetchMs: 5000,
  dnsMs: 1500,
};
