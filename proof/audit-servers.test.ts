import { createHash, X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckResult } from '../src/audit/check.ts';
import { checks } from '../src/audit/list-checks.ts';
import { createAuditNetwork } from '../src/audit/net/create-network.ts';
import { type AuditReport, runAudit } from '../src/audit/run-audit.ts';
import { systemClock } from '../src/lib/clock.ts';
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
import { canListen, findFreePort, findProgram, runTool } from './audit-servers/programs.ts';
import { type ServedSite, startNginx } from './audit-servers/web.ts';

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
const issue = (hosts: string[], options: object = {}) => authority.issue({ hosts, ...options });
const sites: Record<string, Site> = {
  'good.example': { certificate: issue(['good.example']), finding: 'valid' },
  'expired.example': { certificate: issue(['expired.example'], past), finding: 'expired' },
  'self-signed.example': {
    certificate: makeCertificate({ host: 'self-signed.example' }),
    finding: 'self-signed',
  },
  'wrong-name.example': { certificate: issue(['another.example']), finding: 'wrong-name' },
  'untrusted.example': {
    certificate: strangers.issue({ hosts: ['untrusted.example'] }),
    finding: 'untrusted',
  },
  'sha1.example': { certificate: issue(['sha1.example'], { hash: 'sha1' }), finding: 'sha1' },
  'common-name.example': {
    certificate: issue(['common-name.example'], { isCommonNameOnly: true }),
    finding: 'common-name-only',
  },
  'old-tls.example': {
    certificate: issue(['old-tls.example']),
    protocols: 'TLSv1 TLSv1.1 TLSv1.2',
    finding: 'valid',
  },
  'tls12.example': { certificate: issue(['tls12.example']), protocols: 'TLSv1.2', finding: 'valid' },
};

type Mail = { chain: string | undefined; tlsa: string[]; finding: string; isUnsigned?: boolean };
const mailKey = mailAuthority.issue({ hosts: ['mail.any.example'] });
const keyRecord = tlsa('3 1 1', mailKey.cert);
const anchorRecord = tlsa('2 0 1', mailAuthority.cert);
const intermediate = createAuthority('Mail Intermediate', { parent: mailAuthority });
const pastAuthority = createAuthority('Past Authority', past);
const ownAnchor = makeCertificate({ host: 'mail.own-as-anchor.example' });
const mailFor = (domain: string, options: object = {}) =>
  mailAuthority.issue({ hosts: [`mail.${domain}`], ...options });
const bundle = ({ key, cert }: KeyPair, ...rest: string[]) => [key, cert, ...rest].join('');
const mails: Record<string, Mail> = {
  'own-key.example': { chain: bundle(mailFor('own-key.example')), tlsa: [keyRecord], finding: 'matches' },
  'own-key-expired.example': {
    chain: bundle(mailFor('own-key-expired.example', past)),
    tlsa: [keyRecord],
    finding: 'matches',
  },
  'other-key.example': {
    chain: bundle(mailFor('other-key.example')),
    tlsa: [`3 1 1 ${'00'.repeat(32)}`],
    finding: 'mismatch',
  },
  'anchor.example': {
    chain: bundle(mailFor('anchor.example'), mailAuthority.cert),
    tlsa: [anchorRecord],
    finding: 'matches',
  },
  'anchor-not-sent.example': {
    chain: bundle(mailFor('anchor-not-sent.example')),
    tlsa: [anchorRecord],
    finding: 'mismatch',
  },
  'anchor-wrong-name.example': {
    chain: bundle(mailFor('another.example'), mailAuthority.cert),
    tlsa: [anchorRecord],
    finding: 'invalid',
  },
  'anchor-expired.example': {
    chain: bundle(mailFor('anchor-expired.example', past), mailAuthority.cert),
    tlsa: [anchorRecord],
    finding: 'invalid',
  },
  'anchor-key.example': {
    chain: bundle(mailFor('anchor-key.example'), mailAuthority.cert),
    tlsa: [tlsa('2 1 1', mailAuthority.cert)],
    finding: 'matches',
  },
  'anchor-whole.example': {
    chain: bundle(mailFor('anchor-whole.example')),
    tlsa: [tlsa('2 0 0', mailAuthority.cert)],
    finding: 'matches',
  },
  'anchor-key-whole.example': {
    chain: bundle(mailFor('anchor-key-whole.example')),
    tlsa: [tlsa('2 1 0', mailAuthority.cert)],
    finding: 'matches',
  },
  'anchor-expired-itself.example': {
    chain: bundle(pastAuthority.issue({ hosts: ['mail.anchor-expired-itself.example'] }), pastAuthority.cert),
    tlsa: [tlsa('2 1 1', pastAuthority.cert)],
    finding: 'invalid',
  },
  'anchor-for-domain.example': {
    chain: bundle(mailAuthority.issue({ hosts: ['anchor-for-domain.example'] }), mailAuthority.cert),
    tlsa: [anchorRecord],
    finding: 'matches',
  },
  'anchor-wildcard.example': {
    chain: bundle(mailAuthority.issue({ hosts: ['*.anchor-wildcard.example'] }), mailAuthority.cert),
    tlsa: [anchorRecord],
    finding: 'matches',
  },
  'anchor-common-name.example': {
    chain: bundle(mailFor('anchor-common-name.example', { isCommonNameOnly: true }), mailAuthority.cert),
    tlsa: [anchorRecord],
    finding: 'matches',
  },
  'own-as-anchor.example': {
    chain: bundle(ownAnchor),
    tlsa: [tlsa('2 1 1', ownAnchor.cert)],
    finding: 'mismatch',
  },
  'anchor-of-strangers.example': {
    chain: bundle(mailFor('anchor-of-strangers.example'), strangers.cert),
    tlsa: [tlsa('2 1 1', strangers.cert)],
    finding: 'mismatch',
  },
  'intermediate-anchor.example': {
    chain: bundle(intermediate.issue({ hosts: ['mail.intermediate-anchor.example'] }), intermediate.cert),
    tlsa: [tlsa('2 0 1', intermediate.cert)],
    finding: 'matches',
  },
  'out-of-order.example': {
    chain: bundle(
      intermediate.issue({ hosts: ['mail.out-of-order.example'] }),
      mailAuthority.cert,
      intermediate.cert,
    ),
    tlsa: [anchorRecord],
    finding: 'matches',
  },
  'missing-link.example': {
    chain: bundle(intermediate.issue({ hosts: ['mail.missing-link.example'] }), mailAuthority.cert),
    tlsa: [anchorRecord],
    finding: 'mismatch',
  },
  'weaker-digest.example': {
    chain: bundle(mailFor('weaker-digest.example')),
    tlsa: [keyRecord, `3 1 2 ${'00'.repeat(64)}`],
    finding: 'mismatch',
  },
  'stronger-digest.example': {
    chain: bundle(mailFor('stronger-digest.example')),
    tlsa: [tlsa('3 1 2', mailKey.cert), `3 1 1 ${'00'.repeat(32)}`],
    finding: 'matches',
  },
  'own-whole.example': {
    chain: bundle(mailFor('own-whole.example')),
    tlsa: [tlsa('3 1 0', mailKey.cert)],
    finding: 'matches',
  },
  'no-starttls.example': { chain: undefined, tlsa: [keyRecord], finding: 'no-encryption' },
  'public-usage.example': {
    chain: bundle(mailFor('public-usage.example')),
    tlsa: [keyRecord.replace('3 1 1', '1 1 1')],
    finding: 'unusable',
  },
  'two-records.example': {
    chain: bundle(mailFor('two-records.example')),
    tlsa: [`3 1 1 ${'00'.repeat(32)}`, keyRecord],
    finding: 'matches',
  },
  'no-records.example': { chain: bundle(mailFor('no-records.example')), tlsa: [], finding: 'none' },
  'unsigned-mail.example': {
    chain: bundle(mailFor('unsigned-mail.example')),
    tlsa: [keyRecord],
    isUnsigned: true,
    finding: 'unsigned',
  },
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
    const served = Object.entries(mails).map(([name, { chain }]) => ({ chain, ip: mailIps[name] ?? '' }));
    await startPostfix(stack, folder, served, mailPort);
  });

  test.each(Object.entries(mails))('DANE of %s', async (name, { finding }) => {
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

function toMailZone(name: string, { tlsa, isUnsigned }: Mail): ServedZone {
  const ports = [25, mailPort].flatMap(port => tlsa.map(record => `_${port}._tcp.mail TLSA ${record}`));
  const records = ['@ MX 10 mail', `mail A ${mailIps[name]}`, ...ports];
  return { name, signing: isUnsigned ? 'unsigned' : 'signed', records };
}

/** Of the title of a group: what is missing where it is skipped. */
function named(title: string, isThere: boolean, needs: string): string {
  const skipped = `${title}: skipped, because it needs ${needs}`;
  if (!isThere) process.stdout.write(`${skipped}\n`);
  return isThere ? title : skipped;
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
