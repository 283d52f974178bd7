import { createHash, X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../src/core/clock.ts';
import { createAuditNetwork } from '../src/core/network/create-network.ts';
import type { CheckResult } from '../src/features/audit/check.ts';
import { checks } from '../src/features/audit/list-checks.ts';
import { type AuditReport, runAudit } from '../src/features/audit/run-audit.ts';
import { createAuthority, type KeyPair, makeCertificate } from '../tests/fakes/certificate.ts';
import { readGrading } from '../tests/fakes/local-audits.ts';
import { createSpfZone, spfDomain, spfRecords, toSpfVerdict } from '../tests/harness/spf-records.ts';
import {
  type Resolver,
  type RunningDns,
  type ServedZone,
  type Signing,
  startDns,
  toZoneLines,
} from './audit-servers/dns.ts';
import { startPostfix } from './audit-servers/mail.ts';
import { type ServedSite, startNginx } from './audit-servers/web.ts';
import { canListen, findFreePort, findProgram, named, runTool } from './programs.ts';

/** Loopback addresses of the servers that are audited. */
const network = '127.0.7.';
const resolverIp = `${network}53`;
const isInstalled = (...names: string[]) => names.every(name => findProgram(name));
const hasBind = isInstalled('named', 'named-checkzone', 'dnssec-keygen', 'dnssec-signzone', 'delv', 'dig');
const hasUnbound = isInstalled('unbound');
const hasNginx = isInstalled('nginx', 'openssl', 'curl');
const hasPostfix = isInstalled('postfix', 'posttls-finger', 'unshare');
const python = ['python3', '/usr/bin/python3'].find(file => runTool(file, ['-c', 'import spf']).code === 0);
const isRoot = process.getuid?.() === 0;
/** posttls-finger asks port 53 of the system's resolver, which is another one in a mount namespace of its own. */
const canFinger =
  isRoot && (await canListen(resolverIp, 53)) && runTool('unshare', ['-m', 'true']).code === 0;

const authority = createAuthority();
const strangers = createAuthority('Another Authority');
const mailAuthority = createAuthority('Mail Authority');
const past = { from: '20200101000000Z', until: '20200201000000Z' };

const signings: Record<string, Signing> = {
  'signed.example': 'signed',
  'unsigned.example': 'unsigned',
  'no-ds.example': 'no-ds',
  'expired-signatures.example': 'expired-signatures',
  'wrong-ds.example': 'wrong-ds',
};
/** What delv says of a zone, and our finding for it. */
const ofDelv: [said: RegExp, findings: string[]][] = [
  [/^; fully validated/m, ['signed']],
  [/^; unsigned answer/m, ['unsigned', 'no-ds']],
  [/resolution failed/, ['bogus']],
];

type Site = Omit<ServedSite, 'host' | 'ip' | 'protocols'> & { finding: string; protocols?: string };
const issue = (host: string, finding: string, options: object = {}, of = authority): Site => ({
  certificate: of.issue({ hosts: [host], ...options }),
  finding,
});
const sites: Record<string, Site> = {
  'good.example': issue('good.example', 'valid'),
  'expired.example': issue('expired.example', 'expired', past),
  'self-signed.example': {
    certificate: makeCertificate({ host: 'self-signed.example' }),
    finding: 'self-signed',
  },
  'wrong-name.example': issue('another.example', 'wrong-name'),
  'untrusted.example': issue('untrusted.example', 'untrusted', {}, strangers),
  'sha1.example': issue('sha1.example', 'sha1', { hash: 'sha1' }),
  'common-name.example': issue('common-name.example', 'common-name-only', { isCommonNameOnly: true }),
  'old-tls.example': { ...issue('old-tls.example', 'valid'), protocols: 'TLSv1 TLSv1.1 TLSv1.2' },
  'tls12.example': { ...issue('tls12.example', 'valid'), protocols: 'TLSv1.2' },
};

const mailKey = mailAuthority.issue({ hosts: ['mail.any.example'] });
const keyRecord = tlsa('3 1 1', mailKey.cert);
const wrongRecord = `3 1 1 ${'00'.repeat(32)}`;
const anchorRecord = tlsa('2 0 1', mailAuthority.cert);
const intermediate = createAuthority('Mail Intermediate', { parent: mailAuthority });
const pastAuthority = createAuthority('Past Authority', past);
const ownAnchor = makeCertificate({ host: 'mail.own-as-anchor.example' });
const bundle = ({ key, cert }: KeyPair, ...rest: string[]) => [key, cert, ...rest].join('');
/** A certificate for the mail server of a domain. */
const leaf = (domain: string, options: object = {}, of = mailAuthority) =>
  of.issue({ hosts: [`mail.${domain}`], ...options });
/** It alone, and with the authority that issued it. */
const own = (domain: string, options = {}) => bundle(leaf(domain, options));
const whole = (domain: string, options = {}) => bundle(leaf(domain, options), mailAuthority.cert);
const below = (domain: string, ...rest: string[]) => bundle(leaf(domain, {}, intermediate), ...rest);
const plain = (host: string, of = mailAuthority) => bundle(of.issue({ hosts: [host] }), of.cert);

/** Per domain what its mail server sends, the records and our finding. */
type Mail = [chain: string | undefined, tlsa: string[], finding: string];
const mails: Record<string, Mail> = {
  'own-key.example': [own('own-key.example'), [keyRecord], 'matches'],
  'own-key-expired.example': [own('own-key-expired.example', past), [keyRecord], 'matches'],
  'other-key.example': [own('other-key.example'), [wrongRecord], 'mismatch'],
  'anchor.example': [whole('anchor.example'), [anchorRecord], 'matches'],
  'anchor-not-sent.example': [own('anchor-not-sent.example'), [anchorRecord], 'mismatch'],
  'anchor-wrong-name.example': [whole('another.example'), [anchorRecord], 'invalid'],
  'anchor-expired.example': [whole('anchor-expired.example', past), [anchorRecord], 'invalid'],
  'anchor-key.example': [whole('anchor-key.example'), [tlsa('2 1 1', mailAuthority.cert)], 'matches'],
  'anchor-whole.example': [own('anchor-whole.example'), [tlsa('2 0 0', mailAuthority.cert)], 'matches'],
  'anchor-key-whole.example': [
    own('anchor-key-whole.example'),
    [tlsa('2 1 0', mailAuthority.cert)],
    'matches',
  ],
  'anchor-expired-itself.example': [
    plain('mail.anchor-expired-itself.example', pastAuthority),
    [tlsa('2 1 1', pastAuthority.cert)],
    'invalid',
  ],
  'anchor-for-domain.example': [plain('anchor-for-domain.example'), [anchorRecord], 'matches'],
  'anchor-wildcard.example': [plain('*.anchor-wildcard.example'), [anchorRecord], 'matches'],
  'anchor-common-name.example': [
    whole('anchor-common-name.example', { isCommonNameOnly: true }),
    [anchorRecord],
    'matches',
  ],
  'own-as-anchor.example': [bundle(ownAnchor), [tlsa('2 1 1', ownAnchor.cert)], 'mismatch'],
  'anchor-of-strangers.example': [
    bundle(leaf('anchor-of-strangers.example'), strangers.cert),
    [tlsa('2 1 1', strangers.cert)],
    'mismatch',
  ],
  'intermediate-anchor.example': [
    below('intermediate-anchor.example', intermediate.cert),
    [tlsa('2 0 1', intermediate.cert)],
    'matches',
  ],
  'out-of-order.example': [
    below('out-of-order.example', mailAuthority.cert, intermediate.cert),
    [anchorRecord],
    'matches',
  ],
  'missing-link.example': [below('missing-link.example', mailAuthority.cert), [anchorRecord], 'mismatch'],
  'weaker-digest.example': [
    own('weaker-digest.example'),
    [keyRecord, `3 1 2 ${'00'.repeat(64)}`],
    'mismatch',
  ],
  'stronger-digest.example': [
    own('stronger-digest.example'),
    [tlsa('3 1 2', mailKey.cert), wrongRecord],
    'matches',
  ],
  'own-whole.example': [own('own-whole.example'), [tlsa('3 1 0', mailKey.cert)], 'matches'],
  'no-starttls.example': [undefined, [keyRecord], 'no-encryption'],
  'public-usage.example': [own('public-usage.example'), [keyRecord.replace('3 1 1', '1 1 1')], 'unusable'],
  'two-records.example': [own('two-records.example'), [wrongRecord, keyRecord], 'matches'],
  'no-records.example': [own('no-records.example'), [], 'none'],
  'unsigned-mail.example': [own('unsigned-mail.example'), [keyRecord], 'unsigned'],
};

const spfDomains = spfRecords.map((record, at) => ({ ...record, domain: `r${at}.${spfDomain}` }));
/** For the records that lead to a name that resolvers fail for. */
const failingZone: ServedZone = {
  ...{ name: 'failing.example', signing: 'expired-signatures' },
  records: ['@ TXT "v=spf1 -all"', '@ A 192.0.2.1', '@ AAAA 2001:db8::1'],
};

const webIps = Object.fromEntries(Object.keys(sites).map((host, at) => [host, `${network}${100 + at}`]));
const mailIps = Object.fromEntries(Object.keys(mails).map((name, at) => [name, `${network}${150 + at}`]));
const stack = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'audit-servers-'));
let dns: RunningDns;
let [webPort, mailPort] = [0, 0];

beforeAll(async () => {
  // Postfix and the resolvers run as other users.
  chmodSync(folder, 0o755);
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  if (!hasBind) return;
  webPort = await findFreePort(`${network}100`);
  mailPort = await findFreePort(`${network}150`);
  const zones = [
    failingZone,
    ...Object.entries(signings).map(toPlainZone),
    ...Object.keys(sites).map(toWebZone),
  ];
  zones.push(...Object.entries(mails).map(([name, mail]) => toMailZone(name, mail)));
  dns = await startDns(stack, folder, zones, {
    rootRecords: [
      ...new Set(spfDomains.flatMap(({ domain, texts }) => toZoneLines(createSpfZone(texts, domain)))),
    ],
    hasUnbound,
    resolverIp: canFinger ? resolverIp : undefined,
  });
}, 60_000);
afterAll(() => stack.disposeAsync());

describe.skipIf(!hasBind)(named('DNSSEC, as delv and dig judge it', hasBind, 'bind9'), () => {
  test('by each resolver', async () => {
    expect(dns.resolvers.length).toBe(hasUnbound ? 2 : 1);
    for (const resolver of dns.resolvers)
      for (const name of Object.keys(signings)) {
        const { said } = runTool('delv', [...at(resolver), '-a', dns.anchors, '+root=.', name, 'SOA']);
        const [, expected = []] = ofDelv.find(([pattern]) => pattern.test(said)) ?? [];
        const { finding } = await check(resolver, name, 'names-dnssec');
        const line = [resolver.name, name, finding, said.split('\n')[0]];
        process.stdout.write(`${line.join(' · ')}\n`);
        expect([...line, expected.includes(finding)]).toEqual([...line, true]);
      }
  });

  test('a domain with broken signatures is reported as that, where a resolver fails and answers without checking', async () => {
    for (const resolver of dns.resolvers)
      for (const name of ['expired-signatures.example', 'wrong-ds.example']) {
        expect(runTool('dig', [...at(resolver), name, 'SOA']).said).toContain('status: SERVFAIL');
        expect(runTool('dig', [...at(resolver), '+cdflag', name, 'SOA']).said).toContain('status: NOERROR');
        const { results, grade } = await audit(resolver, name);
        const measured = results.filter(({ status }) => status !== 'not-measurable');
        expect(measured.map(({ check: id, finding }) => `${id} ${finding}`)).toEqual(['names-dnssec bogus']);
        expect(grade).toBe('F');
      }
  });
});

describe.skipIf(!hasBind)(named('SPF through real resolvers', hasBind, 'bind9'), () => {
  test('as receivers judge it, and as pyspf does that asks the same resolver', async () => {
    const different: string[] = [];
    for (const resolver of dns.resolvers)
      for (const { domain, verdict, texts } of spfDomains) {
        const { finding, status } = await check(resolver, domain, 'mail-spf');
        const ours = status === 'not-measurable' ? 'temperror' : toSpfVerdict(finding);
        if (ours !== verdict)
          different.push(`${resolver.name} ${texts.join(' | ')}: ${ours}, not ${verdict}`);
      }
    expect(different).toEqual([]);
    if (!python || !canFinger || !hasUnbound) return;
    // Its DNS library takes SERVFAIL for an answer without records.
    const asked = spfDomains.filter(({ verdict }) => verdict !== 'temperror');
    const script = [python, join(import.meta.dirname, 'judge-spf.py')];
    const { said } = runWithResolver(script, JSON.stringify(asked.map(({ domain }) => ({ domain }))));
    const theirs = (JSON.parse(said) as string[]).map(one => (/fail$/.test(one) ? 'refused' : one));
    expect(theirs).toEqual(asked.map(({ verdict }) => verdict));
    process.stdout.write(
      `SPF · ${spfDomains.length} records as receivers judge them, ${asked.length} as pyspf does\n`,
    );
  });
});

const canWeb = hasBind && hasNginx;
describe.skipIf(!canWeb)(
  named('websites, as curl and OpenSSL judge them', canWeb, 'bind9, nginx, curl'),
  () => {
    beforeAll(async () => {
      const served = Object.entries(sites).map(([host, { certificate, protocols = 'TLSv1.2 TLSv1.3' }]) => ({
        ...{ host, certificate, protocols, ip: webIps[host] ?? '' },
      }));
      await startNginx(stack, folder, served, webPort);
      writeFileSync(join(folder, 'ca.pem'), authority.cert);
    });

    test.each(Object.entries(sites))('the certificate of %s', async (host, { finding, certificate }) => {
      const found = await check(firstResolver(), host, 'web-certificate');
      expect(found.finding).toBe(finding);
      const args = ['-sS', '--max-time', '5', '--cacert', join(folder, 'ca.pem'), '-o', '/dev/null'];
      const url = `https://${host}:${webPort}/`;
      // Browsers heed the header only over a connection that they trust.
      expect((await check(firstResolver(), host, 'web-hsts')).status === 'passed').toBe(finding === 'valid');
      const { code, said } = runTool('curl', [
        ...args,
        '--resolve',
        `${host}:${webPort}:${webIps[host]}`,
        url,
      ]);
      process.stdout.write(`${host} · ${found.finding} · curl ${code} ${said.split('\n')[0]}\n`);
      if (finding === 'common-name-only') {
        // curl still takes the name from there; browsers have not since 2017.
        const { said: names } = runTool(
          'openssl',
          ['x509', '-noout', '-ext', 'subjectAltName'],
          certificate.cert,
        );
        expect(names).toContain('No extensions');
      } else expect([code, found.status]).toEqual(finding === 'valid' ? [0, 'passed'] : [60, 'failed']);
    });

    test('without a certificate that browsers trust the grade is E at best', async () => {
      const { grade, caps } = await audit(firstResolver(), 'expired.example');
      expect(grade).toMatch(/[EF]/);
      expect(grade === 'F' || caps.includes('no-trusted-https')).toBe(true);
    });

    test.each(['good.example', 'old-tls.example', 'tls12.example'])('the TLS versions of %s', async host => {
      const { values } = await check(firstResolver(), host, 'web-tls-versions');
      const flags = { 'TLS 1.0': '-tls1', 'TLS 1.1': '-tls1_1', 'TLS 1.2': '-tls1_2', 'TLS 1.3': '-tls1_3' };
      const offered = Object.entries(flags).flatMap(([label, flag]) => {
        const address = ['-connect', `${webIps[host]}:${webPort}`, '-servername', host];
        const { said } = runTool('openssl', ['s_client', ...address, flag, '-cipher', 'DEFAULT@SECLEVEL=0']);
        return /Cipher is \(NONE\)/.test(said) ? [] : [label];
      });
      expect(values.offered).toBe(offered.join(', '));
    });
  },
);

const canMail = hasBind && hasUnbound && hasPostfix && canFinger;
const mailNeeds = 'bind9, unbound, postfix, and root to listen on port 53 and to mount';
describe.skipIf(!canMail)(named('mail servers, as posttls-finger judges them', canMail, mailNeeds), () => {
  beforeAll(async () => {
    const served = Object.entries(mails).map(([name, [chain]]) => ({ chain, ip: mailIps[name] ?? '' }));
    await startPostfix(stack, folder, served, mailPort);
  });

  test.each(Object.entries(mails))('DANE of %s', async (name, [, , finding]) => {
    const found = await check(firstResolver(), name, 'mail-dane');
    const said = finger(`${name}:${mailPort}`);
    const trust = /: (\w+) TLS connection established/.exec(said)?.[1];
    process.stdout.write(`${name} · ${found.finding} · posttls-finger ${trust}\n`);
    expect([found.finding, trust === 'Verified']).toEqual([finding, finding === 'matches']);
  });

  function finger(server: string): string {
    const tool = [findProgram('posttls-finger') ?? '', '-c', '-T', '5', '-l', 'dane-only', server];
    return runWithResolver(tool).said;
  }
});

/** The tool asks our resolver in place of the system's. */
function runWithResolver(tool: string[], input = '') {
  const file = join(folder, 'resolv.conf');
  writeFileSync(file, `nameserver ${resolverIp}\n`);
  const mounted = 'mount --bind "$1" /etc/resolv.conf && shift && exec "$@"';
  return runTool('unshare', ['-m', 'sh', '-c', mounted, 'sh', file, ...tool], input);
}

function toPlainZone([name, signing]: [string, Signing]): ServedZone {
  return { name, signing, records: ['@ A 192.0.2.1'] };
}

function toWebZone(name: string): ServedZone {
  return { name, signing: 'signed', records: [`@ A ${webIps[name]}`, `www A ${webIps[name]}`] };
}

function toMailZone(name: string, [, tlsa, finding]: Mail): ServedZone {
  const ports = [25, mailPort].flatMap(port => tlsa.map(record => `_${port}._tcp.mail TLSA ${record}`));
  const records = ['@ MX 10 mail', `mail A ${mailIps[name]}`, ...ports];
  return { name, signing: finding === 'unsigned' ? 'unsigned' : 'signed', records };
}

function at({ ip, port }: Resolver): string[] {
  return [`@${ip}`, '-p', String(port)];
}

function firstResolver(): Resolver {
  return dns.resolvers.at(-1) as Resolver;
}

/** A record that names a certificate: usage, selector and matching type, as '3 1 1'. */
function tlsa(parameters: string, cert: string): string {
  const { raw, publicKey } = new X509Certificate(cert);
  const [, selector, matchingType = ''] = parameters.split(' ');
  const part = selector === '0' ? raw : publicKey.export({ type: 'spki', format: 'der' });
  const name = { 1: 'sha256', 2: 'sha512' }[matchingType];
  return `${parameters} ${(name ? createHash(name).update(part).digest() : part).toString('hex')}`;
}

async function check(resolver: Resolver, domain: string, id: string): Promise<CheckResult> {
  const { results } = await audit(resolver, domain, [id]);
  return results[0] as CheckResult;
}

async function audit({ ip, port }: Resolver, domain: string, only?: string[]): Promise<AuditReport> {
  const createNetwork = (signal: AbortSignal) =>
    createAuditNetwork({
      ...{ userAgent: 'SiteAudit/1.0 (a proof)', ehloName: 'localhost', signal },
      ...{ limits: { connectionGapMs: 0 }, dnsServers: [{ ip, port }] },
      policy: {
        isAllowedAddress: one => one.startsWith(network),
        ports: { 443: webPort, 80: webPort, 25: mailPort },
        connect: options => connect(options),
        // Authorities of mail too: what our own store holds, the server has not sent.
        trustedRoots: [authority.cert, mailAuthority.cert],
      },
    });
  const events = runAudit(
    {
      ...{ checks: checks.filter(({ id }) => !only || only.includes(id)), clock: systemClock, createNetwork },
      grading: readGrading(),
      onUnexpectedError(_, error) {
        throw error;
      },
    },
    domain,
  );
  for await (const event of events) if (event.type === 'report') return event.report;
  throw new Error('the audit ended without a report');
}
