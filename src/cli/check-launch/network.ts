import { Resolver } from 'node:dns/promises';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** The only questions that the house asks the world on its owner's behalf: names, and the front door of the site. */
export type Network = {
  addresses(host: string): Promise<string[]>;
  texts(name: string): Promise<string[]>;
  /** Who may make certificates for it, by its own CAA records: nobody at all is ['']. Nothing where it has none. */
  issuers(name: string): Promise<string[] | undefined>;
  /** The front page over HTTPS, whatever its certificate is worth. */
  visit(url: URL): Promise<Visit>;
  /** The same over plain HTTP, without following where it leads. */
  knock(url: URL): Promise<{ status: number; location: string }>;
};

export type Visit = { status: number; hsts: string; text: string; certificate: Certificate };
export type Certificate = { issuer: string; from: Date; until: Date; doubt: string | undefined };

export type Place = { address: string; port?: number };

type NetworkOptions = {
  dns?: Place | undefined;
  /** Where the site is looked for, whatever its name resolves to. */
  connect?: Place | undefined;
  /** Of plain HTTP; none, where it cannot be known. */
  plainPort?: number | undefined;
  /** For each question. */
  patienceMs?: number;
};

class WithoutAddress extends Error {}
class Refused extends Error {}

export function isWithoutAddress(error: unknown): boolean {
  return error instanceof WithoutAddress;
}

/** The machine was reached, and turned us away: that is an answer, where silence may be the fault of the way there. */
export function isRefused(error: unknown): error is Error {
  return error instanceof Refused;
}

/** Each question is asked once, however many lines want the answer, and is given up after a while. */
export function createNetwork({ dns, connect, plainPort = 80, patienceMs = 5000 }: NetworkOptions): Network {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (dns) resolver.setServers([written(dns)]);
  const answered = new Map<string, Promise<unknown>>();
  const records = <T>(asked: Promise<T[]>) => readRecords(asked, patienceMs);

  function once<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const known = answered.get(question) ?? ask();
    answered.set(question, known);
    return known as Promise<T>;
  }

  const addresses = (host: string) =>
    once(`addresses ${host}`, async () => {
      const bare = host.replace(/^\[|\]$/g, '');
      if (isIP(bare)) return [bare];
      const [four, six] = await Promise.all([
        records(resolver.resolve4(host)),
        records(resolver.resolve6(host)),
      ]);
      return [...four, ...six];
    });

  /** Options of a request that goes where the site is. */
  async function way(url: URL, port: number) {
    const known = connect ? [connect.address] : await addresses(url.hostname);
    if (known.length === 0) throw new WithoutAddress(`${url.hostname} has no address`);
    return {
      host: url.hostname,
      port,
      path: '/',
      agent: false as const,
      signal: AbortSignal.timeout(patienceMs),
      // Names were looked up above, perhaps from another name server than the machine's own.
      lookup: (_: string, options: { all?: boolean | undefined }, done: LookupDone) => {
        const all = known.map(address => ({ address, family: isIP(address) }));
        if (options.all) done(null, all);
        else done(null, known[0] as string, isIP(known[0] as string));
      },
    };
  }

  return {
    addresses,
    texts: name =>
      once(`texts ${name}`, async () =>
        (await records(resolver.resolveTxt(name))).map(chunks => chunks.join('').trim()),
      ),
    issuers: name =>
      once(`issuers ${name}`, async () => {
        const found = await records(resolver.resolveCaa(name));
        if (found.length === 0) return undefined;
        // What follows a semicolon are the authority's own parameters; before it nothing is nobody.
        return found
          .filter(({ issue }) => issue !== undefined)
          .map(({ issue = '' }) => (issue.split(';')[0] ?? '').trim());
      }),
    visit: url =>
      once(`visit ${url.origin}`, async () => {
        const options = await way(url, connect?.port ?? Number(url.port || 443));
        const response = await answer(done =>
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
    async knock(url) {
      if (connect?.port) throw new Error('--connect names a port of HTTPS alone');
      const options = await way(url, plainPort);
      const response = await answer(done => getPlain(options, done));
      response.destroy();
      return { status: response.statusCode ?? 0, location: response.headers.location ?? '' };
    },
  };
}

type LookupDone = (
  error: null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void;

/** A name that is there without such a record, or is not there, is an answer; silence is none. */
async function readRecords<T>(asked: Promise<T[]>, patienceMs: number): Promise<T[]> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer from DNS')), patienceMs);
  try {
    return await Promise.race([asked, tooLate]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw code ? new Error(`no answer from DNS (${code})`) : error;
  } finally {
    clearTimeout(timer);
  }
}

function answer(
  ask: (done: (response: IncomingMessage) => void) => NodeJS.EventEmitter,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    ask(resolve).on('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.name === 'AbortError' || error.name === 'TimeoutError'
          ? 'in time'
          : (error.code ?? error.message);
      const isTurnedAway = /^(ECONNREFUSED|ECONNRESET|EPROTO|ERR_SSL_|HPE_)/.test(error.code ?? '');
      reject(new (isTurnedAway ? Refused : Error)(`no answer (${why})`));
    });
  });
}

const longestStart = 64 * 1024;

/** The head of a page is at its beginning; whoever stops half-way has said what it has said. */
async function readStart(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (text.length > longestStart) break;
    }
  } catch {
    return text;
  }
  return text;
}

const doubts: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet: is the clock of this machine right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by itself, and no browser trusts it',
  SELF_SIGNED_CERT_IN_CHAIN: 'is from an authority that browsers do not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is from an authority that browsers do not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes without those between it and its authority',
};

function readCertificate(socket: TLSSocket): Certificate {
  const { issuer, valid_from, valid_to } = socket.getPeerCertificate();
  // Node gives the code of an error where its types promise an error.
  const error = socket.authorizationError as unknown as string | Error | undefined;
  const code = typeof error === 'string' ? error : ((error as NodeJS.ErrnoException | undefined)?.code ?? '');
  return {
    issuer: [issuer.O ?? issuer.CN ?? 'an authority without a name'].flat().join(' '),
    from: new Date(valid_from),
    until: new Date(valid_to),
    doubt: socket.authorized ? undefined : (doubts[code] ?? `is not accepted (${code || error})`),
  };
}

function written({ address, port }: Place): string {
  if (port === undefined) return address;
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
