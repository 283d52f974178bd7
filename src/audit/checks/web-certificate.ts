import { X509Certificate } from 'node:crypto';
import type { Check } from '../check.ts';
import { findWebHost } from '../home-page.ts';
import type { TlsConnection } from '../net/network.ts';

const day = 86_400_000;
const minBits = { rsa: 2048, ec: 256 };

/** By the codes of Node, which are those of OpenSSL. */
const problems: Record<string, string> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong-name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
};

export const webCertificate: Check = {
  id: 'web-certificate',
  group: 'web',
  findings: {
    valid: 'passed',
    'expires-soon': 'attention',
    'weak-key': 'attention',
    'incomplete-chain': 'attention',
    expired: 'failed',
    'not-yet-valid': 'failed',
    'wrong-name': 'failed',
    'self-signed': 'failed',
    untrusted: 'failed',
  },
  async run({ domain, network, now }) {
    const host = await findWebHost({ domain, network });
    const tls = await network.handshake({ host, minVersion: 'TLSv1' });
    const { issuer, names, from, until, key, hasIssuerUrl } = readCertificate(tls);
    const left = until.getTime() - now.getTime();
    const values = {
      host,
      issuer,
      until: until.toISOString().slice(0, 10),
      days: String(Math.floor(left / day)),
    };
    const evidence = [
      `names: ${names}`,
      `issuer: ${issuer}`,
      `valid until ${values.until}`,
      `key: ${key.type} ${key.bits} bits`,
      `chain: ${tls.chainLength} ${tls.chainLength === 1 ? 'certificate' : 'certificates'}`,
    ];
    if (tls.problem) {
      // Public authorities say where their certificate is to be found; a private one that is missing would not help.
      const isIncomplete = tls.problem === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' && hasIssuerUrl;
      const finding = isIncomplete ? 'incomplete-chain' : (problems[tls.problem] ?? 'untrusted');
      return { finding, values, evidence: [...evidence, tls.problem] };
    }
    if (key.bits < minBits[key.type]) return { finding: 'weak-key', values, evidence };
    // Short-lived certificates are renewed late; the others at least ten days before their end.
    const minLeft = Math.min(10 * day, (until.getTime() - from.getTime()) / 8);
    return { finding: left < minLeft ? 'expires-soon' : 'valid', values, evidence };
  },
};

function readCertificate({ certificate }: TlsConnection) {
  const { issuer, subject, subjectaltname, raw } = certificate;
  const x509 = new X509Certificate(raw);
  const { asymmetricKeyType, asymmetricKeyDetails } = x509.publicKey;
  const isRsa = asymmetricKeyType?.startsWith('rsa') ?? false;
  return {
    issuer: [issuer?.O ?? issuer?.CN ?? '?'].flat().join(' '),
    names: (subjectaltname ?? [subject?.CN ?? ''].flat().join(' ')).replaceAll('DNS:', ''),
    from: x509.validFromDate,
    until: x509.validToDate,
    hasIssuerUrl: x509.infoAccess?.includes('CA Issuers - URI:') ?? false,
    key: isRsa
      ? { type: 'rsa' as const, bits: asymmetricKeyDetails?.modulusLength ?? 0 }
      : { type: 'ec' as const, bits: readCurveBits(asymmetricKeyDetails?.namedCurve) },
  };
}

/** 'prime256v1', 'secp384r1'; Ed25519 and its like have no curve name and are strong. */
function readCurveBits(curve: string | undefined): number {
  return Number(/\d{3}/.exec(curve ?? '')?.[0] ?? 256);
}
