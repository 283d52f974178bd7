import { Resolver } from 'node:dns/promises';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';

export type Network = ReturnType<typeof createNetwork>;

export type Endpoint = { ip: string; port?: number };

type NetworkOptions = {
  dns?: Endpoint | undefined;
  connect?: Endpoint | undefined;
  plainPort?: number | undefined;
  timeoutMs?: number;
};

/** The machine was reached and refused, while a timeout may be the fault of the network. */
export class ConnectionRefused extends Error {}

export function createNetwork({ dns, connect, plainPort = 80, timeoutMs = 5000 }: NetworkOptions) {
  const resolver = new Resolver({ timeout: timeoutMs / 4, tries: 2 });
  if (dns) resolver.setServers([formatEndpoint(dns)]);
  const cache = new Map<string, Promise<unknown>>();

  function once<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const known = cache.get(question) ?? ask();
    cache.set(question, known);
    return known as Promise<T>;
  }

  const findIps = (host: string) =>
    once(`addresses ${host}`, async () => {
      const bare = host.replace(/^\[|\]$/g, '');
      if (isIP(bare)) return [bare];
      const [four, six] = await Promise.all([
        readRecords(resolver.resolve4(host)),
        readRecords(resolver.resolve6(host)),
      ]);
      return [...four, ...six];
    });

  async function connectOptions(url: URL, port: number) {
    const known = connect ? [connect.ip] : await findIps(url.hostname);
    if (known.length === 0) throw new Error(`${url.hostname} has no address yet`);
    const all = known.map(address => ({ address, family: isIP(address) }));
    const lookup: LookupFunction = (_, __, done) => done(null, all);
    return {
      host: url.hostname,
      port,
      path: '/',
      agent: false as const,
      signal: AbortSignal.timeout(timeoutMs),
      lookup,
    };
  }

  return {
    findIps,
    txtRecords: (name: string) =>
      once(`texts ${name}`, async () =>
        (await readRecords(resolver.resolveTxt(name))).map(chunks => chunks.join('').trim()),
      ),
    /** Best first. A single '.' says that the domain takes no mail (RFC 7505). */
    mailServers: (name: string) =>
      once(`mail servers ${name}`, async () =>
        (await readRecords(resolver.resolveMx(name)))
          .toSorted((one, other) => one.priority - other.priority)
          .map(({ exchange }) => exchange || '.'),
      ),
    caaIssuers: (name: string) =>
      once(`issuers ${name}`, async () => {
        const found = await readRecords(resolver.resolveCaa(name));
        if (found.length === 0) return undefined;
        return found
          .filter(({ issue }) => issue !== undefined)
          .map(({ issue = '' }) => (issue.split(';')[0] ?? '').trim());
      }),
    visit: (url: URL) =>
      once(`visit ${url.origin}`, async () => {
        const options = await connectOptions(url, connect?.port ?? Number(url.port || 443));
        const response = await request(done =>
          get(
            { ...options, servername: isIP(url.hostname) ? '' : url.hostname, rejectUnauthorized: false },
            done,
          ),
        );
        const { statusCode = 0, headers, socket } = response;
        const certificate = readCertificate(socket as TLSSocket);
        const text = await readStart(response);
        return { status: statusCode, hsts: headers['strict-transport-security'] ?? '', text, certificate };
      }),
    async requestPlainHttp(url: URL) {
      if (connect?.port) throw new Error('--connect names the HTTPS port only');
      const options = await connectOptions(url, plainPort);
      const response = await request(done => getPlain(options, done));
      response.destroy();
      return { status: response.statusCode ?? 0, location: response.headers.location ?? '' };
    },
  };
}

async function readRecords<T>(query: Promise<T[]>): Promise<T[]> {
  try {
    return await query;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw new Error(`no answer from DNS (${code})`);
  }
}

function request(
  ask: (done: (response: IncomingMessage) => void) => NodeJS.EventEmitter,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    ask(resolve).on('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.name === 'AbortError' || error.name === 'TimeoutError'
          ? 'timeout'
          : (error.code ?? error.message);
      const isConnectionRefused = /^(ECONNREFUSED|ECONNRESET|EPROTO|ERR_SSL_|HPE_)/.test(error.code ?? '');
      reject(new (isConnectionRefused ? ConnectionRefused : Error)(`no response (${reason})`));
    });
  });
}

const maxStartLength = 64 * 1024;

async function readStart(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (text.length > maxStartLength) break;
    }
  } catch {
    // What arrived before the error is enough.
  }
  return text;
}

const certificateProblems: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet: is the clock of this machine right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed, and no browser trusts it',
  SELF_SIGNED_CERT_IN_CHAIN: 'is from an authority that browsers do not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is from an authority that browsers do not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is sent without its intermediate certificates',
};

function readCertificate(socket: TLSSocket) {
  const { issuer, valid_from, valid_to } = socket.getPeerCertificate();
  // Node provides an error code where its types promise an Error.
  const error = socket.authorizationError as unknown as string | Error | undefined;
  const code = typeof error === 'string' ? error : ((error as NodeJS.ErrnoException | undefined)?.code ?? '');
  return {
    issuer: [issuer.O ?? issuer.CN ?? 'an unnamed authority'].flat().join(' '),
    from: new Date(valid_from),
    until: new Date(valid_to),
    problem: socket.authorized
      ? undefined
      : (certificateProblems[code] ?? `is not accepted (${code || error})`),
  };
}

function formatEndpoint({ ip, port }: Endpoint): string {
  if (port === undefined) return ip;
  return isIP(ip) === 6 ? `[${ip}]:${port}` : `${ip}:${port}`;
}
