import { createHash, X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, PeerCertificate } from 'node:tls';
import type { Check } from '../check.ts';
import { assertValidating } from '../dns-records.ts';
import { findMailRoute } from '../mail-route.ts';

type Tlsa = { usage: number; selector: number; matchingType: number; certificate: Buffer };

export const mailDane: Check = {
  id: 'mail-dane',
  group: 'mail',
  findings: {
    matches: 'passed',
    mismatch: 'failed',
    none: 'missing',
    unsigned: 'not-measurable',
    'no-mail': 'not-measurable',
  },
  async run({ domain, network }) {
    const { dns } = network;
    const route = await findMailRoute(dns, domain);
    const [server = '.'] = route.servers;
    if (server === '.') return { finding: 'no-mail' };
    const values = { server };
    const { records, authenticated } = await dns.query(`_25._tcp.${server}`, 'TLSA');
    // A sender trusts the record only if it and the MX record are signed (RFC 7672, 2.2).
    if (!authenticated || !route.answer.authenticated) {
      await assertValidating(dns);
      return { finding: 'unsigned', values: { server: authenticated ? route.domain : server } };
    }
    // RFC 7672, 3.1: mail knows only DANE-TA(2) and DANE-EE(3).
    const usable = records.filter(({ data }) => [2, 3].includes((data as Tlsa).usage));
    const evidence = usable.map(({ text }) => `TLSA ${text}`);
    if (usable.length === 0) return { finding: 'none', values };
    const { tls } = await network.smtpHello(server);
    const chain = tls ? listChain(tls.certificate) : [];
    const isMatch = usable.some(({ data }) => matchesChain(data as Tlsa, chain));
    return { finding: isMatch ? 'matches' : 'mismatch', values, evidence };
  },
};

function matchesChain({ usage, selector, matchingType, certificate }: Tlsa, chain: Buffer[]): boolean {
  const candidates = usage === 3 ? chain.slice(0, 1) : chain.slice(1);
  return candidates.some(raw => {
    const part =
      selector === 1 ? new X509Certificate(raw).publicKey.export({ type: 'spki', format: 'der' }) : raw;
    const hash = { 1: 'sha256', 2: 'sha512' }[matchingType];
    return (hash ? createHash(hash).update(part).digest() : part).equals(certificate);
  });
}

/** A root refers to itself. */
function listChain(leaf: PeerCertificate): Buffer[] {
  const chain: Buffer[] = [];
  for (
    let one: Partial<DetailedPeerCertificate> | undefined = leaf;
    one?.raw && !chain.some(known => known.equals(one?.raw as Buffer)) && chain.length < 8;
    one = one.issuerCertificate
  )
    chain.push(one.raw);
  return chain;
}
