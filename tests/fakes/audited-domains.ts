import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Zone } from './dns-server.ts';
import {
  type CertificateKind,
  createFakeInternet,
  type FakeInternet,
  fakeIps,
  fakeTlsa,
} from './internet.ts';

/** A domain as a difference from one without faults. `null` takes a record or header away. */
export type AuditedDomain = {
  name: string;
  /** By the name below the domain ('@' is the domain itself); replaces the record types that it names. */
  records?: Record<string, Zone[string] | null>;
  isUnsigned?: boolean;
  /** Its DNSSEC signatures do not validate. */
  isBogus?: boolean;
  /** By the name below the domain. */
  certificates?: Record<string, CertificateKind>;
  headers?: Record<string, string | string[] | null>;
  /** The home page. */
  page?: string;
  /** By path; null is 404. */
  files?: Record<string, string | null>;
  /** Where plain HTTP redirects to, if not to the same URL over HTTPS. */
  redirect?: string;
  /** Served over plain HTTP instead of a redirect. */
  hasPlainPage?: boolean;
  /** The day that the registry tells, in days from now. */
  expiresInDays?: number;
};

const day = 86_400_000;

/** As the value of a header: the Origin of the request. */
export const reflected = '{origin}';

export const dkimKeys = { long: createDkimKey(2048), short: createDkimKey(1024) };

const cleanHeaders: Record<string, string | string[]> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'set-cookie': [
    '__Host-session=1; Secure; HttpOnly; SameSite=Lax; Path=/',
    'XSRF-TOKEN=1; Secure; SameSite=Lax',
  ],
};

const cleanPage =
  '<!doctype html><html lang="en"><title>Home</title><script src="/app.js"></script><p>Welcome.</p></html>';

export function startAuditedDomains(domains: readonly AuditedDomain[]): Promise<FakeInternet> {
  const byHost = new Map(domains.map(domain => [domain.name, domain]));
  return createFakeInternet({
    zone: Object.assign({}, sharedZone, ...domains.map(createZone)),
    signed: ['.', ...domains.filter(({ isUnsigned }) => !isUnsigned).map(({ name }) => name)],
    bogus: domains.filter(({ isBogus }) => isBogus).map(({ name }) => name),
    certificates: Object.fromEntries(
      domains.flatMap(({ name, certificates = {} }) =>
        Object.entries(certificates).map(([below, kind]) => [joinName(below, name), kind]),
      ),
    ),
    onRequest: (request, response) => answer(byHost, request, response),
  });
}

const sharedZone: Zone = {
  'ns2.provider.example': { A: [fakeIps.elsewhere] },
  'rdap.verisign.com': { A: [fakeIps.web] },
  'rdap.publicinterestregistry.org': { A: [fakeIps.web] },
};

function createZone({ name, records = {} }: AuditedDomain): Zone {
  const web = { A: [fakeIps.web], AAAA: [fakeIps.webIPv6] };
  const clean: Zone = {
    '@': {
      ...web,
      MX: [`10 mail.${name}`],
      TXT: ['v=spf1 mx -all'],
      NS: [`ns1.${name}`, 'ns2.provider.example'],
      SOA: [`ns1.${name} hostmaster.${name}`],
      CAA: ['issue ca.example'],
      DNSKEY: ['257 3 13 bm90IGEga2V5'],
    },
    www: web,
    mail: { A: [fakeIps.mail] },
    ns1: { A: [fakeIps.web] },
    'default._domainkey': { TXT: [`v=DKIM1; k=rsa; p=${dkimKeys.long}`] },
    _dmarc: { TXT: [`v=DMARC1; p=reject; rua=mailto:dmarc@${name}`] },
    '_mta-sts': { TXT: ['v=STSv1; id=1'] },
    'mta-sts': { A: [fakeIps.web] },
    '_smtp._tls': { TXT: [`v=TLSRPTv1; rua=mailto:tls@${name}`] },
    '_25._tcp.mail': { TLSA: [fakeTlsa] },
  };
  const zone: Zone = {};
  for (const below of new Set([...Object.keys(clean), ...Object.keys(records)]))
    if (records[below] !== null) zone[joinName(below, name)] = { ...clean[below], ...records[below] };
  return zone;
}

function joinName(below: string, name: string): string {
  return below === '@' ? name : `${below}.${name}`;
}

function answer(
  domains: Map<string, AuditedDomain>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const host = request.headers.host ?? '';
  const path = request.url ?? '/';
  const asked = /\/domain\/(.+)$/.exec(path)?.[1] ?? '';
  const domain = domains.get(host.replace(/^(www|mta-sts)\./, '')) ?? domains.get(asked);
  if (!domain) return void response.writeHead(404).end();
  const isEncrypted = 'encrypted' in request.socket;
  if (!isEncrypted && !domain.hasPlainPage)
    return void response.writeHead(308, { location: domain.redirect ?? `https://${host}${path}` }).end();
  const text = { ...createFiles(domain), ...domain.files }[path];
  if (typeof text !== 'string') return void response.writeHead(404).end();
  for (const [name, value] of Object.entries({ ...cleanHeaders, ...domain.headers }))
    if (value !== null)
      response.setHeader(name, value === reflected ? (request.headers.origin ?? '*') : value);
  if (path !== '/') response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(text);
}

function createFiles({ name, page = cleanPage, expiresInDays = 365 }: AuditedDomain): Record<string, string> {
  const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
  const registration = JSON.stringify({
    events: [{ eventAction: 'expiration', eventDate: inDays(expiresInDays) }],
  });
  return {
    '/': page,
    '/.well-known/security.txt': `Contact: mailto:security@${name}\nExpires: ${inDays(200)}\n`,
    '/.well-known/mta-sts.txt': `version: STSv1\nmode: enforce\nmx: mail.${name}\nmax_age: 604800\n`,
    [`/com/v1/domain/${name}`]: registration,
    [`/net/v1/domain/${name}`]: registration,
    [`/rdap/domain/${name}`]: registration,
  };
}

function createDkimKey(modulusLength: number): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength });
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}
