/** Of one audit and of one fetch. Tests hand in smaller ones. */
export type NetworkLimits = {
  connections: number;
  /** From the start of one connection to that of the next: many at once look like an attack to the audited server. */
  connectionGapMs: number;
  dnsQueries: number;
  redirects: number;
  /** Of a body, both as it comes over the wire and decompressed. */
  bodyBytes: number;
  /** Of everything that comes over one connection. */
  connectionBytes: number;
  fetchMs: number;
  /** For one datagram to one resolver; the next is asked after it. */
  dnsMs: number;
};

export const auditLimits: NetworkLimits = {
  connections: 40,
  connectionGapMs: 200,
  dnsQueries: 150,
  redirects: 3,
  bodyBytes: 512 * 1024,
  connectionBytes: 1024 * 1024,
  fetchMs: 5000,
  dnsMs: 1500,
};
