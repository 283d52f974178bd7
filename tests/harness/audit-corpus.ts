import { checks } from '../../src/features/audit/list-checks.ts';
import { type AuditedDomain, dkimKeys, reflected } from '../fakes/audited-domains.ts';
import { type CertificateKind, fakeAuthorityTlsa, fakeIps } from '../fakes/internet.ts';

/** `faults` are all that an audit may report, by check; `unmeasured` checks cannot tell on this domain. */
type CorpusDomain = AuditedDomain & { faults: Record<string, string>; unmeasured?: string[] };

const policyFile = '/.well-known/mta-sts.txt';
const text = (...values: string[]) => ({ TXT: values });
type Records = NonNullable<AuditedDomain['records']>;
type Faults = CorpusDomain['faults'];
const withRecords = (records: Records, faults: Faults, unmeasured: string[] = []) => ({
  ...{ records, faults, unmeasured },
});

/** Browsers do not accept it, and ignore HSTS with it. */
const withCertificate = (kind: CertificateKind) => ({
  ...{ certificates: { '@': kind }, faults: { 'web-certificate': kind }, unmeasured: ['web-hsts'] },
});
const withSpf = (record: string, fault: string) =>
  withRecords({ '@': { TXT: [record] } }, { 'mail-spf': fault });
const ofHttps = ['web-certificate', 'web-tls-versions', 'web-hsts', 'web-security-txt'];
const ofPage = [
  ...['web-csp', 'web-framing', 'web-nosniff', 'web-referrer-policy', 'web-resource-policy', 'web-cors'],
  ...['web-cookies', 'web-mixed-content', 'web-subresource-integrity', 'web-banners'],
];

const domains: Record<string, Omit<CorpusDomain, 'name'>> = {
  'example.com': { faults: {} },
  'example.net': { expiresInDays: 12, faults: { 'names-expiry': 'soon' } },
  'example.org': { expiresInDays: -2, faults: { 'names-expiry': 'expired' } },
  'no-spf.example': withSpf('some-verification=1', 'none'),
  'two-spf.example': withRecords({ '@': text('v=spf1 mx -all', 'v=spf1 ~all') }, { 'mail-spf': 'several' }),
  'broken-spf.example': withSpf('v=spf1 include:gone.example -all', 'broken'),
  'typo-spf.example': withSpf('v=spf1 ipv4:192.0.2.1 -all', 'broken'),
  'long-spf.example': withSpf(`v=spf1 ${'a:www.long-spf.example '.repeat(11)}-all`, 'lookups'),
  'open-spf.example': {
    records: { '@': text('v=spf1 redirect=_spf.open-spf.example'), _spf: text('v=spf1 mx ?all') },
    faults: { 'mail-spf': 'open' },
  },
  'void-spf.example': withSpf(
    'v=spf1 a:x.void-spf.example a:y.void-spf.example mx:z.void-spf.example -all',
    'void-lookups',
  ),
  'tab-spf.example': withSpf('v=spf1 mx\t-all', 'broken'),
  'twice-spf.example': withSpf('v=spf1 redirect=example.com redirect=example.com', 'broken'),
  'prefix-spf.example': {
    records: { '@': text('v=spf1 include:_spf.%{d} -all'), _spf: text('v=spf1 ip4:192.0.2.0/33 -all') },
    faults: { 'mail-spf': 'broken' },
  },
  'macro-spf.example': withSpf('v=spf1 exists:%{z}.example.com -all', 'broken'),
  'everyone-spf.example': {
    records: { '@': text('v=spf1 include:_spf.everyone-spf.example. -all'), _spf: text('v=spf1 +all') },
    faults: { 'mail-spf': 'everyone' },
  },
  'dotted-spf.example': withRecords({ '@': text('v=spf1 include:example.com. -all') }, {}),
  'no-dkim.example': { records: { 'default._domainkey': null }, faults: { 'mail-dkim': 'none' } },
  'other-dkim.example': {
    records: { 'default._domainkey': null, 'x7._domainkey': text(`v=DKIM1; p=${dkimKeys.long}`) },
    faults: {},
    unmeasured: ['mail-dkim'],
  },
  'short-dkim.example': {
    records: { 'google._domainkey': text(`v=DKIM1; k=rsa; p=${dkimKeys.short}`) },
    faults: { 'mail-dkim': 'short-key' },
  },
  'broken-dkim.example': {
    records: { 'default._domainkey': text('v=DKIM1; p=bm90IGEga2V5') },
    faults: { 'mail-dkim': 'broken-key' },
  },
  'no-dmarc.example': withRecords({ _dmarc: null }, { 'mail-dmarc': 'none' }, ['mail-dmarc-reports']),
  'monitoring.example': {
    records: { _dmarc: text('v=DMARC1; p=none; rua=mailto:a@monitoring.example') },
    faults: { 'mail-dmarc': 'monitoring' },
  },
  'small-dmarc.example': withRecords(
    { _dmarc: text('v=dmarc1; p=reject; rua=mailto:a@small-dmarc.example') },
    { 'mail-dmarc': 'none' },
    ['mail-dmarc-reports'],
  ),
  'test-dmarc.example': withRecords(
    { _dmarc: text('v=DMARC1; p=reject; t=y; rua=mailto:a@test-dmarc.example') },
    { 'mail-dmarc': 'testing' },
  ),
  'double-dmarc.example': withRecords(
    { _dmarc: text('v=DMARC1; p=none; p=reject; rua=mailto:a@double-dmarc.example') },
    { 'mail-dmarc': 'invalid' },
  ),
  'partial-dmarc.example': {
    records: { _dmarc: text('v=DMARC1; p=quarantine; pct=50') },
    faults: { 'mail-dmarc': 'partial', 'mail-dmarc-reports': 'none' },
  },
  'lost-reports.example': {
    files: { [policyFile]: 'version: STSv1\nmode: enforce\nmx: mail.lost-reports.example\n' },
    records: { _dmarc: text('v=DMARC1; p=reject; sp=none; rua=mailto:a@example.com') },
    faults: {
      ...{ 'mail-dmarc': 'weak-subdomains', 'mail-dmarc-reports': 'refused' },
      'mail-mta-sts': 'invalid-policy',
    },
  },
  'no-mta-sts.example': {
    records: { '_mta-sts': null, '_smtp._tls': null },
    faults: { 'mail-mta-sts': 'none', 'mail-tls-rpt': 'none' },
  },
  'lost-mta-sts.example': withRecords({ 'mta-sts': null }, { 'mail-mta-sts': 'invalid-policy' }),
  'half-mta-sts.example': {
    files: { [policyFile]: 'version: STSv1\nmode: testing\nmx: *.half-mta-sts.example\nmax_age: 86400\n' },
    records: { '_smtp._tls': text('v=TLSRPTv1') },
    faults: { 'mail-mta-sts': 'testing', 'mail-tls-rpt': 'invalid' },
  },
  'moved-mail.example': {
    files: { [policyFile]: 'version: STSv1\nmode: enforce\nmx: mail.example.com\nmax_age: 86400\n' },
    faults: { 'mail-mta-sts': 'mx-not-listed' },
  },
  'own-sts.example': {
    certificates: { 'mta-sts': 'self-signed' },
    faults: { 'mail-mta-sts': 'untrusted-policy' },
  },
  'no-sts.example': { files: { [policyFile]: null }, faults: { 'mail-mta-sts': 'invalid-policy' } },
  'no-starttls.example': {
    records: { mail: { A: [fakeIps.plainMail] } },
    faults: { 'mail-starttls': 'none', 'mail-dane': 'no-encryption' },
  },
  'old-mail.example': {
    certificates: { mail: 'expired' },
    faults: { 'mail-starttls': 'expired-certificate' },
  },
  'wrong-mail.example': {
    certificates: { mail: 'wrong-name' },
    records: { '_25._tcp.mail': { TLSA: [`3 1 1 ${'00'.repeat(32)}`] } },
    faults: { 'mail-starttls': 'wrong-name', 'mail-dane': 'mismatch' },
  },
  'anchored-mail.example': {
    certificates: { mail: 'full-chain' },
    records: { '_25._tcp.mail': { TLSA: [fakeAuthorityTlsa] } },
    faults: {},
  },
  // Its authority is in our own store of roots, and in the record, but not sent.
  'unanchored-mail.example': {
    records: { '_25._tcp.mail': { TLSA: [fakeAuthorityTlsa] } },
    faults: { 'mail-dane': 'mismatch' },
  },
  'misused-tlsa.example': {
    records: { '_25._tcp.mail': { TLSA: [fakeAuthorityTlsa.replace('2 ', '0 ')] } },
    faults: { 'mail-dane': 'unusable' },
  },
  'own-mail.example': {
    certificates: { mail: 'self-signed' },
    records: { '_25._tcp.mail': null },
    faults: { 'mail-starttls': 'untrusted-certificate', 'mail-dane': 'none' },
  },
  'lost-mail.example': {
    records: { '@': { MX: ['10 mail.lost-mail.example', '20 gone.lost-mail.example'] } },
    files: { [policyFile]: 'version: STSv1\nmode: enforce\nmx: *.lost-mail.example\nmax_age: 86400\n' },
    faults: { 'mail-servers': 'unresolved' },
  },
  'refuses-mail.example': {
    records: { '@': { MX: ['0 .'], TXT: ['v=spf1 -all'] }, 'default._domainkey': null },
    faults: {},
    unmeasured: ['mail-dkim', 'mail-starttls', 'mail-mta-sts', 'mail-tls-rpt', 'mail-dane'],
  },
  'single-ns.example': {
    records: { '@': { NS: ['ns1.single-ns.example'], CAA: ['iodef mailto:a@single-ns.example'] } },
    faults: { 'names-servers': 'single', 'names-caa': 'unrestricted' },
  },
  'near-ns.example': {
    records: {
      '@': {
        NS: ['ns1.near-ns.example', 'mail.near-ns.example'],
        AAAA: [],
        CAA: ['issue ;', 'issuewild ca.example'],
      },
    },
    faults: { 'names-servers': 'same-network', 'names-ipv6': 'none' },
  },
  'lost-ns.example': {
    records: { '@': { NS: ['ns1.lost-ns.example', 'gone.lost-ns.example'], CAA: ['issue ;'] } },
    faults: { 'names-servers': 'unresolved', 'names-caa': 'no-issuer' },
  },
  'unsigned.example': {
    isUnsigned: true,
    records: { '@': { DNSKEY: [], CAA: [] } },
    faults: { 'names-dnssec': 'unsigned', 'names-caa': 'none' },
    unmeasured: ['mail-dane'],
  },
  'no-ds.example': { isUnsigned: true, faults: { 'names-dnssec': 'no-ds' }, unmeasured: ['mail-dane'] },
  'bogus.example': {
    isBogus: true,
    faults: { 'names-dnssec': 'bogus' },
    unmeasured: checks.map(({ id }) => id).filter(id => !['names-dnssec', 'names-expiry'].includes(id)),
  },
  'dangling.example': {
    records: {
      ...{ shop: { CNAME: ['gone.provider.example'] }, blog: { CNAME: ['www.dangling.example'] } },
      ...{ api: { A: ['SERVFAIL'] }, '@': { AAAA: ['SERVFAIL'] }, ns1: { AAAA: ['SERVFAIL'] } },
    },
    faults: { 'names-dangling': 'dangling' },
    unmeasured: ['names-ipv6'],
  },
  'expiring.example': {
    certificates: { '@': 'expiring' },
    headers: { 'strict-transport-security': 'max-age=300', 'cross-origin-resource-policy': 'everyone' },
    faults: { 'web-certificate': 'expires-soon', 'web-hsts': 'short', 'web-resource-policy': 'invalid' },
  },
  'short-lived.example': { certificates: { '@': 'short-lived' }, faults: {} },
  'expired.example': {
    certificates: { '@': 'expired' },
    headers: { 'strict-transport-security': null },
    faults: { 'web-certificate': 'expired', 'web-hsts': 'none' },
  },
  'wrong-name.example': {
    certificates: { '@': 'wrong-name' },
    files: { '/.well-known/security.txt': null },
    faults: { 'web-certificate': 'wrong-name', 'web-security-txt': 'none' },
    unmeasured: ['web-hsts'],
  },
  'self-signed.example': {
    certificates: { '@': 'self-signed' },
    headers: { 'x-content-type-options': null, 'referrer-policy': 'unsafe-url' },
    faults: { 'web-certificate': 'self-signed', 'web-nosniff': 'none', 'web-referrer-policy': 'leaks' },
    unmeasured: ['web-hsts'],
  },
  'old-tls.example': {
    records: { '@': { A: [fakeIps.oldWeb], AAAA: [] } },
    faults: { 'web-tls-versions': 'old-versions', 'names-ipv6': 'none' },
  },
  'plain-http.example': {
    hasPlainPage: true,
    headers: { 'content-security-policy': null, 'x-frame-options': null },
    faults: { 'web-redirect': 'none', 'web-csp': 'none', 'web-framing': 'none' },
  },
  'inline.example': {
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
  'mixed.example': {
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
  'blocked.example': {
    page: '<!doctype html><style>@import "http://blocked.example/a.css"</style><img srcset="http://blocked.example/a.png 2x">',
    faults: { 'web-mixed-content': 'active' },
  },
  'open-cors.example': {
    headers: { 'access-control-allow-origin': reflected, 'access-control-allow-credentials': 'true' },
    faults: { 'web-cors': 'everyone' },
  },
  'without-https.example': {
    hasPlainPage: true,
    records: { '@': { A: [fakeIps.plainWeb], AAAA: [] } },
    faults: { 'web-https': 'unreachable', 'web-redirect': 'none', 'names-ipv6': 'none' },
    unmeasured: [...ofHttps, 'web-mixed-content'],
  },
  'closed-https.example': {
    records: { '@': { A: [fakeIps.plainWeb], AAAA: [] } },
    faults: { 'web-https': 'unreachable', 'names-ipv6': 'none' },
    unmeasured: [...ofHttps, ...ofPage],
  },
  'ancient-tls.example': {
    records: { '@': { A: [fakeIps.ancientWeb], AAAA: [] } },
    faults: { 'web-tls-versions': 'only-old', 'names-ipv6': 'none' },
    unmeasured: ['web-https', 'web-hsts', 'web-security-txt', ...ofPage],
  },
  'long-page.example': {
    records: { '@': { A: [], AAAA: [] } },
    redirect: 'https://example.com/',
    files: { '/.well-known/security.txt': null },
    page: `<!doctype html>${' '.repeat(600_000)}`,
    faults: { 'web-redirect': 'other-host', 'web-security-txt': 'none' },
    unmeasured: ['web-mixed-content', 'web-subresource-integrity'],
  },
  'untrusted.example': withCertificate('untrusted'),
  'weak-key.example': withCertificate('weak-key'),
  'common-name.example': withCertificate('common-name-only'),
  'sha1.example': withCertificate('sha1'),
  'incomplete-chain.example': withCertificate('incomplete-chain'),
  'neglected-mail.example': {
    records: {
      ...{ '@': { MX: [] }, _dmarc: text('v=DMARC1; p=none', 'v=DMARC1; p=reject') },
      'default._domainkey': text(`v=DKIM1; t=y; p=${dkimKeys.long}`),
    },
    faults: { 'mail-servers': 'none', 'mail-dmarc': 'several', 'mail-dkim': 'testing' },
    unmeasured: ['mail-dmarc-reports', 'mail-starttls', 'mail-mta-sts', 'mail-tls-rpt', 'mail-dane'],
  },
};

export const corpus: CorpusDomain[] = Object.entries(domains).map(([name, domain]) => ({ name, ...domain }));
