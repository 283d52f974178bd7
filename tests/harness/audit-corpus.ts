import { type AuditedDomain, dkimKeys, reflected } from '../fakes/audited-domains.ts';
import { fakeIps } from '../fakes/internet.ts';

/** `faults` are all that an audit may report, by check; `unmeasured` checks cannot tell on this domain. */
export type CorpusDomain = AuditedDomain & { faults: Record<string, string>; unmeasured?: string[] };

const text = (...values: string[]) => ({ TXT: values });

const policy = (mode: string, mx: string) => `version: STSv1\nmode: ${mode}\nmx: ${mx}\n`;

export const corpus: CorpusDomain[] = [
  { name: 'example.com', faults: {} },
  {
    ...{ name: 'example.net', expiresInDays: 12, certificates: { '@': 'short-lived' } },
    faults: { 'names-expiry': 'soon' },
  },
  {
    ...{ name: 'example.org', expiresInDays: -2 },
    records: { shop: { CNAME: ['gone.provider.example'] }, blog: { CNAME: ['www.example.org'] } },
    faults: { 'names-expiry': 'expired', 'names-dangling': 'dangling' },
  },
  {
    name: 'forgeable.example',
    records: {
      '@': text('some-verification=1'),
      ...{ 'default._domainkey': null, _dmarc: null, '_mta-sts': null, '_smtp._tls': null },
    },
    faults: {
      ...{ 'mail-spf': 'none', 'mail-dkim': 'none', 'mail-dmarc': 'none' },
      ...{ 'mail-mta-sts': 'none', 'mail-tls-rpt': 'none' },
    },
    unmeasured: ['mail-dmarc-reports'],
  },
  {
    name: 'broken-mail.example',
    records: {
      '@': text('v=spf1 include:gone.example -all'),
      'default._domainkey': text('v=DKIM1; p=bm90IGEga2V5'),
      _dmarc: text('v=DMARC1; p=quarantine; pct=50'),
      'mta-sts': null,
      '_smtp._tls': text('v=TLSRPTv1'),
    },
    faults: {
      ...{ 'mail-spf': 'broken', 'mail-dkim': 'broken-key', 'mail-dmarc': 'partial' },
      ...{ 'mail-dmarc-reports': 'none', 'mail-mta-sts': 'invalid-policy', 'mail-tls-rpt': 'invalid' },
    },
  },
  {
    name: 'weak-mail.example',
    records: {
      '@': text('v=spf1 redirect=_spf.weak-mail.example'),
      _spf: text('v=spf1 mx ?all'),
      'google._domainkey': text(`v=DKIM1; k=rsa; p=${dkimKeys.short}`),
      _dmarc: text('v=DMARC1; p=none; rua=mailto:a@weak-mail.example'),
    },
    files: { '/.well-known/mta-sts.txt': policy('testing', '*.weak-mail.example') },
    faults: {
      ...{ 'mail-spf': 'open', 'mail-dkim': 'short-key' },
      ...{ 'mail-dmarc': 'monitoring', 'mail-mta-sts': 'testing' },
    },
  },
  {
    name: 'moved-mail.example',
    records: {
      '@': text('v=spf1 mx -all', 'v=spf1 ~all'),
      _dmarc: text('v=DMARC1; p=reject; sp=none; rua=mailto:a@example.com'),
    },
    files: { '/.well-known/mta-sts.txt': policy('enforce', 'mail.example.com') },
    faults: {
      ...{ 'mail-spf': 'several', 'mail-dmarc': 'weak-subdomains' },
      ...{ 'mail-dmarc-reports': 'refused', 'mail-mta-sts': 'mx-not-listed' },
    },
  },
  {
    name: 'long-spf.example',
    records: { '@': text(`v=spf1 ${'a:www.long-spf.example '.repeat(11)}-all`) },
    certificates: { 'mta-sts': 'self-signed' },
    faults: { 'mail-spf': 'lookups', 'mail-mta-sts': 'untrusted-policy' },
  },
  {
    name: 'other-dkim.example',
    records: { 'default._domainkey': null, 'x7._domainkey': text(`v=DKIM1; p=${dkimKeys.long}`) },
    files: { '/.well-known/mta-sts.txt': null },
    faults: { 'mail-mta-sts': 'invalid-policy' },
    unmeasured: ['mail-dkim'],
  },
  {
    name: 'no-starttls.example',
    records: { mail: { A: [fakeIps.plainMail] }, '_25._tcp.mail': null },
    faults: { 'mail-starttls': 'none', 'mail-dane': 'none' },
  },
  {
    name: 'expired-mail.example',
    certificates: { mail: 'expired' },
    records: { '@': { NS: ['ns1.expired-mail.example'], CAA: ['iodef mailto:a@expired-mail.example'] } },
    faults: {
      ...{ 'mail-starttls': 'expired-certificate', 'names-servers': 'single', 'names-caa': 'unrestricted' },
    },
  },
  {
    name: 'wrong-mail.example',
    certificates: { mail: 'wrong-name' },
    records: {
      '@': { NS: ['ns1.wrong-mail.example', 'mail.wrong-mail.example'], AAAA: [] },
      '_25._tcp.mail': { TLSA: [`3 1 1 ${'00'.repeat(32)}`] },
    },
    faults: {
      ...{ 'mail-starttls': 'wrong-name', 'mail-dane': 'mismatch' },
      ...{ 'names-servers': 'same-network', 'names-ipv6': 'none' },
    },
  },
  {
    name: 'own-mail.example',
    certificates: { mail: 'self-signed' },
    records: {
      '@': { NS: ['ns1.own-mail.example', 'gone.own-mail.example'], CAA: ['issue ;'] },
      '_25._tcp.mail': null,
    },
    faults: {
      ...{ 'mail-starttls': 'untrusted-certificate', 'mail-dane': 'none' },
      ...{ 'names-servers': 'unresolved', 'names-caa': 'no-issuer' },
    },
  },
  {
    name: 'lost-mail.example',
    records: { '@': { MX: ['10 mail.lost-mail.example', '20 gone.lost-mail.example'] } },
    files: { '/.well-known/mta-sts.txt': policy('enforce', '*.lost-mail.example') },
    faults: { 'mail-servers': 'unresolved' },
  },
  {
    name: 'refuses-mail.example',
    records: { '@': { MX: ['0 .'], TXT: ['v=spf1 -all'] }, 'default._domainkey': null },
    faults: {},
    unmeasured: ['mail-dkim', 'mail-starttls', 'mail-mta-sts', 'mail-tls-rpt', 'mail-dane'],
  },
  {
    name: 'unsigned.example',
    isUnsigned: true,
    records: { '@': { DNSKEY: [], CAA: [] } },
    faults: { 'names-dnssec': 'unsigned', 'names-caa': 'none' },
    unmeasured: ['mail-dane'],
  },
  {
    name: 'half-signed.example',
    isUnsigned: true,
    faults: { 'names-dnssec': 'no-ds' },
    unmeasured: ['mail-dane'],
  },
  {
    name: 'expiring.example',
    certificates: { '@': 'expiring' },
    headers: { 'strict-transport-security': 'max-age=300', 'cross-origin-resource-policy': 'everyone' },
    faults: { 'web-certificate': 'expires-soon', 'web-hsts': 'short', 'web-resource-policy': 'invalid' },
  },
  {
    name: 'expired.example',
    certificates: { '@': 'expired' },
    headers: { 'strict-transport-security': null },
    faults: { 'web-certificate': 'expired', 'web-hsts': 'none' },
  },
  {
    name: 'wrong-name.example',
    certificates: { '@': 'wrong-name' },
    files: { '/.well-known/security.txt': null },
    faults: { 'web-certificate': 'wrong-name', 'web-security-txt': 'none' },
  },
  {
    name: 'self-signed.example',
    certificates: { '@': 'self-signed' },
    headers: { 'x-content-type-options': null, 'referrer-policy': 'unsafe-url' },
    faults: { 'web-certificate': 'self-signed', 'web-nosniff': 'none', 'web-referrer-policy': 'leaks' },
  },
  {
    name: 'old-tls.example',
    records: { '@': { A: [fakeIps.oldWeb], AAAA: [] } },
    faults: { 'web-tls-versions': 'old-versions', 'names-ipv6': 'none' },
  },
  {
    name: 'plain-http.example',
    hasPlainPage: true,
    headers: { 'content-security-policy': null, 'x-frame-options': null },
    faults: { 'web-redirect': 'none', 'web-csp': 'none', 'web-framing': 'none' },
  },
  {
    name: 'inline.example',
    headers: {
      'content-security-policy': "script-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
      'set-cookie': ['PHPSESSID=1; HttpOnly; SameSite=Lax', 'theme=dark; Secure'],
      server: 'Apache/2.4.1',
    },
    faults: {
      'web-csp': 'unsafe-inline',
      'web-cookies': 'session-without-secure',
      'web-banners': 'versions',
    },
  },
  {
    name: 'mixed.example',
    page: '<!doctype html><img src="http://mixed.example/a.png"><script src="https://cdn.example/a.js"></script>',
    files: {
      '/.well-known/security.txt': 'Contact: mailto:a@mixed.example\nExpires: 2020-01-01T00:00:00Z\n',
    },
    faults: {
      'web-mixed-content': 'passive',
      'web-subresource-integrity': 'without',
      'web-security-txt': 'expired',
    },
  },
  {
    name: 'open-cors.example',
    headers: {
      'access-control-allow-origin': reflected,
      'access-control-allow-credentials': 'true',
    },
    faults: { 'web-cors': 'everyone' },
  },
];
