import type { AuditNetwork, DnsAnswer, Fetched, TlsConnection } from '../../src/core/network/network.ts';

type StubAnswers = Partial<Pick<Fetched, 'headers' | 'body' | 'status'>> & {
  tls?: TlsConnection;
  greeting?: string;
  record?: { text: string; data: unknown };
};

/** The same answer to every question, for checks that are tested without servers. */
export function createStubAuditNetwork({
  tls,
  greeting = '',
  record,
  ...answers
}: StubAnswers): AuditNetwork {
  const fetch = async (url: string): Promise<Fetched> => ({
    ...{ url, status: 200, headers: [], body: '', isTruncated: false, ip: '192.0.2.1' },
    ...answers,
    ...(tls ? { tls } : {}),
  });
  const records = [{ text: '192.0.2.1', data: '192.0.2.1', ttl: 60, ...record }];
  const answer: DnsAnswer = { exists: true, authenticated: false, records, aliases: [] };
  return {
    dns: { query: async () => answer },
    fetch,
    fetchFollowing: async url => ({ page: await fetch(url), hops: [] }),
    async handshake() {
      if (!tls) throw new Error('no TLS in this test');
      return tls;
    },
    hasConnected: () => true,
    smtpHello: async () => ({ greeting, offersStartTls: Boolean(tls), ...(tls ? { tls } : {}) }),
  };
}
