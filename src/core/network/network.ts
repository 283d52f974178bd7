import type { X509Certificate } from 'node:crypto';
import type { PeerCertificate } from 'node:tls';

/** Every question and connection of one audit. Equal questions are asked once; limits of the audit are counted here. */
export type AuditNetwork = {
  dns: AuditDns;
  /** Requests one page as a browser does, without following redirects; with `origin` as for a script of another site. */
  fetch(url: string, options?: { origin?: string }): Promise<Fetched>;
  /** Follows at most three redirects, each vetted again. The last is the page; `hops` are the redirects before it. */
  fetchFollowing(url: string): Promise<{ page: Fetched; hops: Fetched[] }>;
  /** A TLS handshake and nothing else. */
  handshake(options: {
    host: string;
    minVersion?: TlsVersion;
    maxVersion?: TlsVersion;
  }): Promise<TlsConnection>;
  /** Greeting, EHLO, and STARTTLS where it is offered; then QUIT. Never a sender or a recipient. */
  smtpHello(host: string): Promise<SmtpHello>;
  /** Whether a connection to a server was begun. DNS questions go to our own resolvers. */
  hasConnected(): boolean;
};

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

export type AuditDns = {
  /** `authenticated` is the resolver's AD flag. A name that does not exist has no records and `exists: false`. */
  query(name: string, type: DnsRecordType): Promise<DnsAnswer>;
};

export type DnsRecordType =
  | 'A'
  | 'AAAA'
  | 'CNAME'
  | 'MX'
  | 'TXT'
  | 'NS'
  | 'SOA'
  | 'CAA'
  | 'TLSA'
  | 'DS'
  | 'DNSKEY';

export type DnsAnswer = {
  exists: boolean;
  authenticated: boolean;
  /** Only records of the type that was asked for, in the resolver's order; CNAMEs on the way are in `aliases`. */
  records: DnsRecord[];
  aliases: string[];
};

/** `text` is the record's data as a zone file writes it; the parsed fields depend on the type. */
export type DnsRecord = { text: string; ttl: number; data: unknown };

export type Fetched = {
  url: string;
  status: number;
  /** Lower-case names; repeated headers keep their order. */
  headers: [name: string, value: string][];
  /** At most 512 KB, decoded; `isTruncated` says that there was more. */
  body: string;
  isTruncated: boolean;
  ip: string;
  tls?: TlsConnection;
};

export type TlsConnection = {
  protocol: TlsVersion;
  cipher: string;
  certificate: PeerCertificate;
  /** As the server sent them, its own first. */
  chain: X509Certificate[];
  /** Node's verification error code (CERT_HAS_EXPIRED, ERR_TLS_CERT_ALTNAME_INVALID, …), undefined when browsers trust it. */
  problem: string | undefined;
};

export type SmtpHello = {
  greeting: string;
  offersStartTls: boolean;
  tls?: TlsConnection;
};
