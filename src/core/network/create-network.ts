import { setTimeout as wait } from 'node:timers/promises';
import { cutText } from './clean-text.ts';
import { createHostConnector, toNetworkError } from './connect-host.ts';
import { createDnsClient } from './dns-client.ts';
import { type DnsServer, listSystemDnsServers } from './dns-transport.ts';
import { requestPage } from './fetch-page.ts';
import { auditLimits, type NetworkLimits } from './limits.ts';
import type { AuditDns, AuditNetwork, Fetched } from './network.ts';
import { NetworkError } from './network-error.ts';
import { getRegistrableDomain } from './parse-domain.ts';
import { parseUrl } from './parse-url.ts';
import { type AuditPort, type NetworkPolicy, publicPolicy } from './policy.ts';
import { greetMailServer } from './smtp-hello.ts';
import { type HandshakeOptions, startTls } from './tls-handshake.ts';

const maxForeignPath = 256;

export type NetworkOptions = {
  /** Says who asks, with a URL that explains it. */
  userAgent: string;
  /** The host name of the site, for the greeting of mail servers. */
  ehloName: string;
  /** Of the audit; the network adds the time of each fetch. */
  signal: AbortSignal;
  /** The machine's own resolvers if not given. Nothing from a visitor chooses them. */
  dnsServers?: readonly DnsServer[] | undefined;
  policy?: NetworkPolicy | undefined;
  limits?: Partial<NetworkLimits> | undefined;
};

export function createAuditNetwork(options: NetworkOptions): AuditNetwork {
  const { userAgent, ehloName, signal, policy = publicPolicy } = options;
  const limits = { ...auditLimits, ...options.limits };
  const servers = options.dnsServers ?? listSystemDnsServers();
  const dns = createDnsClient({ servers, limits, signal });
  const connector = createHostConnector({ dns, policy, limits });
  const takeTurn = createTurns(limits.connectionGapMs);
  const asked = new Map<string, Promise<unknown>>();

  function once<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const known = asked.get(question) ?? ask();
    asked.set(question, known);
    return known as Promise<T>;
  }

  /** The socket lives only as long as `use`, and at most as long as one fetch may take. */
  async function connect<T>(
    host: string,
    port: AuditPort,
    use: (connection: Awaited<ReturnType<typeof connector.connect>>, within: AbortSignal) => Promise<T>,
  ): Promise<T> {
    await takeTurn();
    if (signal.aborted) throw new NetworkError('the time of the audit is over', 'limit');
    const within = AbortSignal.any([signal, AbortSignal.timeout(limits.fetchMs)]);
    const connection = await connector.connect(host, port, within);
    try {
      return await use(connection, within);
    } catch (error) {
      throw toNetworkError(error, within);
    } finally {
      connection.socket.destroy();
    }
  }

  async function fetchOnce(text: string, origin?: string): Promise<Fetched> {
    const url = parseWebUrl(text);
    const host = url.hostname;
    return connect(host, url.protocol === 'https:' ? 443 : 80, async ({ socket, ip }, within) => {
      const { secure, tls } =
        url.protocol === 'https:'
          ? await startTls(socket, { host, isWeb: true, trustedRoots: policy.trustedRoots }, within)
          : { secure: socket };
      const page = { url, socket: secure, userAgent, origin, maxBytes: limits.bodyBytes };
      return { url: url.href, ...(await requestPage(page, within)), ip, ...(tls ? { tls } : {}) };
    });
  }

  const fetchPage: AuditNetwork['fetch'] = (url, { origin } = {}) =>
    once(`fetch ${url} ${origin}`, () => fetchOnce(url, origin));

  return {
    dns: hidePrivateIps(dns, policy),
    fetch: fetchPage,
    async fetchFollowing(url) {
      const hops: Fetched[] = [];
      let page = await fetchPage(url);
      for (let next = findRedirect(page); next !== undefined; next = findRedirect(page)) {
        hops.push(page);
        if (hops.length > limits.redirects)
          throw new NetworkError(`more than ${limits.redirects} redirects`, 'blocked');
        assertMayFollow(next, url);
        page = await fetchPage(next);
      }
      return { page, hops };
    },
    handshake: ({ host, minVersion, maxVersion }) =>
      once(`tls ${host} ${minVersion} ${maxVersion}`, () => {
        const { trustedRoots } = policy;
        const wanted: HandshakeOptions = { host, minVersion, maxVersion, trustedRoots, isWeb: true };
        return connect(host, 443, async ({ socket }, within) => (await startTls(socket, wanted, within)).tls);
      }),
    smtpHello: host =>
      once(`smtp ${host}`, () =>
        connect(host, 25, ({ socket }, within) =>
          greetMailServer(socket, ehloName, () =>
            startTls(socket, { host, minVersion: 'TLSv1', trustedRoots: policy.trustedRoots }, within),
          ),
        ),
      ),
    hasConnected: connector.hasConnected,
  };
}

/** For evidence: a resolver inside a company knows addresses that no visitor may learn. */
function hidePrivateIps(dns: AuditDns, { isAllowedAddress }: NetworkPolicy): AuditDns {
  const hidden = 'not public';
  return {
    async query(name, type) {
      const answer = await dns.query(name, type);
      if (type !== 'A' && type !== 'AAAA') return answer;
      const records = answer.records.map(one =>
        isAllowedAddress(one.text) ? one : { ...one, text: hidden, data: hidden },
      );
      return { ...answer, records };
    },
  };
}

/** Web URLs on their own ports only; what a URL says of a user is dropped. */
function parseWebUrl(text: string): URL {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new NetworkError('not a web address', 'blocked');
  if (url.port !== '') throw new NetworkError(`${url.host} is on a port that is not asked`, 'blocked');
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

const redirects = [301, 302, 303, 307, 308];

export function findRedirect({ status, headers, url }: Fetched): string | undefined {
  const location = headers.find(([name]) => name === 'location')?.[1];
  if (location === undefined || !redirects.includes(status)) return undefined;
  return parseUrl(location, url)?.href;
}

/** A redirect could make us send a third party, under our name, whatever the audited domain wants to be sent. */
function assertMayFollow(next: string, first: string): void {
  const target = parseWebUrl(next);
  const [from, to] = [new URL(first), target].map(({ hostname }) => getRegistrableDomain(hostname));
  if (from === to || (target.search === '' && target.pathname.length <= maxForeignPath)) return;
  const where = `${target.protocol}//${target.host}${target.pathname}${target.search && '?…'}`;
  throw new NetworkError(
    `leads to ${cutText(where, 100)}: not followed, because it is another domain and the address has a query or more than ${maxForeignPath} characters`,
    'blocked',
  );
}

/** Each turn at least `gapMs` after the one before. */
function createTurns(gapMs: number) {
  let next = 0;
  return async function takeTurn(): Promise<void> {
    const now = performance.now();
    const turn = Math.max(now, next);
    next = turn + gapMs;
    if (turn > now) await wait(turn - now);
  };
}
