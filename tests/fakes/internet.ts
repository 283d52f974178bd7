import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { NetworkPolicy } from '../../src/core/network/policy.ts';
import { createAuthority, type KeyPair, makeCertificate } from './certificate.ts';
import { createDnsServer, type Zone } from './dns-server.ts';
import { createLocalPolicy, fakeIps, type InternetReach } from './internet-policy.ts';
import { createSmtpServer } from './smtp-server.ts';

export { fakeIps } from './internet-policy.ts';

export type CertificateKind = keyof typeof daysOfValidity;

type FakeInternetOptions = {
  zone: Zone;
  signed?: readonly string[];
  /** Domains with signatures that do not validate. */
  bogus?: readonly string[];
  /** Host names without a good certificate. */
  certificates?: Record<string, CertificateKind>;
  /** Answers every request over HTTP and HTTPS, by its Host. */
  onRequest: RequestListener;
};

export type FakeInternet = AsyncDisposable & {
  /** The resolver, as `address:port`. */
  dnsAddress: string;
  policy: NetworkPolicy;
  /** For a policy in another process. */
  reach: InternetReach;
  /** Of this machine, for a program that takes no policy. */
  localPorts: { http: number; https: number };
  authority: string;
  /** Every connection that was opened, as 'ip:port'. */
  connections: string[];
};

/** Also short keys and old versions. */
const ciphers = 'DEFAULT@SECLEVEL=0';
const authority = createAuthority();
const privateAuthority = createAuthority('Private Authority');
const weakKeys = generateKeyPairSync('rsa', { modulusLength: 1024 });
/** Of the key that all certificates of the authority share, for TLSA records: DANE-EE, public key, SHA-256. */
export const fakeTlsa = `3 1 1 ${hashPublicKey(authority.issue({ hosts: ['localhost'] }).cert)}`;
/** DANE-TA of the same authority, which only the kind 'full-chain' sends. */
export const fakeAuthorityTlsa = `2 1 1 ${hashPublicKey(authority.cert)}`;

/** Name, web and mail servers on this machine under documentation addresses. */
export async function createFakeInternet(options: FakeInternetOptions): Promise<FakeInternet> {
  const { zone, signed = [], bogus = [], certificates = {}, onRequest } = options;
  const contexts = new Map<string, SecureContext>();
  const SNICallback = (host: string, done: (error: Error | null, context?: SecureContext) => void) => {
    const certificate = issue(host, certificates[host] ?? 'good');
    const context = contexts.get(host) ?? createSecureContext({ ...certificate, ciphers });
    contexts.set(host, context);
    done(null, context);
  };
  const fallback = authority.issue({ hosts: ['localhost'] });
  const tls = { ...fallback, SNICallback, ciphers };
  const old = { ...tls, minVersion: 'TLSv1' } as const;
  const stack = new AsyncDisposableStack();
  const dns = stack.use(await createDnsServer(zone, signed, bogus));
  const [mail, plainMail] = [
    stack.use(await createSmtpServer({ encryption: 'starttls', tls })),
    stack.use(await createSmtpServer()),
  ];
  const plainWeb = await listen(stack, createHttpServer(onRequest));
  const web = await listen(stack, createHttpsServer(tls, onRequest));
  const oldWeb = await listen(stack, createHttpsServer({ ...old, maxVersion: 'TLSv1.2' }, onRequest));
  const ancientWeb = await listen(stack, createHttpsServer({ ...old, maxVersion: 'TLSv1.1' }, onRequest));
  const ports: Record<string, number> = {
    [`${fakeIps.web}:443`]: web,
    [`${fakeIps.webIPv6}:443`]: web,
    [`${fakeIps.oldWeb}:443`]: oldWeb,
    [`${fakeIps.ancientWeb}:443`]: ancientWeb,
    [`${fakeIps.ancientWeb}:80`]: plainWeb,
    [`${fakeIps.web}:80`]: plainWeb,
    [`${fakeIps.webIPv6}:80`]: plainWeb,
    [`${fakeIps.oldWeb}:80`]: plainWeb,
    [`${fakeIps.plainWeb}:80`]: plainWeb,
    [`${fakeIps.mail}:25`]: mail.port,
    [`${fakeIps.plainMail}:25`]: plainMail.port,
  };
  const connections: string[] = [];
  const reach = { dnsAddress: dns.address, ports, authority: authority.cert };
  return {
    dnsAddress: dns.address,
    connections,
    localPorts: { http: plainWeb, https: web },
    authority: authority.cert,
    reach,
    policy: createLocalPolicy(reach, connected => connections.push(connected)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function listen(stack: AsyncDisposableStack, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const day = 86_400_000;

const daysOfValidity = {
  ...{ good: [-30, 60], 'wrong-name': [-30, 60], 'self-signed': [-30, 60], 'weak-key': [-30, 60] },
  ...{ untrusted: [-30, 60], 'incomplete-chain': [-30, 60], 'full-chain': [-30, 60] },
  ...{ 'common-name-only': [-30, 60], sha1: [-30, 60] },
  ...{ 'short-lived': [-4, 2], expiring: [-85, 5], expired: [-91, -1] },
} satisfies Record<string, [from: number, until: number]>;

export const fakeCertificates = Object.keys(daysOfValidity) as CertificateKind[];

function issue(host: string, kind: CertificateKind): KeyPair {
  const [from, until] = daysOfValidity[kind];
  const validity = { from: inDays(from), until: inDays(until) };
  if (kind === 'self-signed') return makeCertificate({ host, ...validity });
  const issuer = kind === 'untrusted' || kind === 'incomplete-chain' ? privateAuthority : authority;
  const keys = kind === 'weak-key' ? { keys: weakKeys } : {};
  const hosts = [kind === 'wrong-name' ? 'another.example' : host];
  const hash = kind === 'sha1' ? 'sha1' : 'sha256';
  const isCommonNameOnly = kind === 'common-name-only';
  const hasAia = kind === 'incomplete-chain';
  const { key, cert } = issuer.issue({ hosts, hasAia, isCommonNameOnly, hash, ...keys, ...validity });
  return { key, cert: kind === 'full-chain' ? cert + issuer.cert : cert };
}

/** As DER's GeneralizedTime. */
function inDays(days: number): string {
  return new Date(Date.now() + days * day).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
}

function hashPublicKey(cert: string): string {
  const key = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('hex');
}
