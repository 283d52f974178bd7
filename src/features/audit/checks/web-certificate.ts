import type { AuditNetwork, TlsConnection } from '../../../core/network/network.ts';
import { NetworkError } from '../../../core/network/network-error.ts';
import { commonNameOnly } from '../../../core/network/tls-handshake.ts';
import type { Check } from '../check.ts';
import { findWebHost } from '../home-page.ts';

const day = 86_400_000;
const minBits = { rsa: 2048, ec: 256 };

/** By the codes of Node, which are those of OpenSSL. */
const problems: Record<string, string> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong-name',
  [commonNameOnly]: 'common-name-only',
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
    'common-name-only': 'failed',
    sha1: 'failed',
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
      `chain: ${tls.chain.length} ${tls.chain.length === 1 ? 'certificate' : 'certificates'}`,
    ];
    if (tls.problem) {
      // Public authorities say where their certificate is to be found; a private one that is missing would not help.
      const isIncomplete = tls.problem === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' && hasIssuerUrl;
      const finding = isIncomplete ? 'incomplete-chain' : (problems[tls.problem] ?? 'untrusted');
      return { finding, values, evidence: [...evidence, tls.problem] };
    }
    if (await isSignedWithSha1(network, host, tls))
      return { finding: 'sha1', values, evidence: [...evidence, ...listSignatures(tls)] };
    if (key.bits < minBits[key.type]) return { finding: 'weak-key', values, evidence };
    // Short-lived certificates are renewed late; the others at least ten days before their end.
    const minLeft = Math.min(10 * day, (until.getTime() - from.getTime()) / 8);
    return { finding: left < minLeft ? 'expires-soon' : 'valid', values, evidence };
  },
};

/** OpenSSL says it of the chain that it trusts, but only at a level at which it refuses TLS 1.0 and 1.1. */
async function isSignedWithSha1(network: AuditNetwork, host: string, tls: TlsConnection): Promise<boolean> {
  if (!listSignatures(tls).some(text => /sha1/i.test(text))) return false;
  return (await network.handshake({ host })).problem !== undefined;
}

function listSignatures({ chain }: TlsConnection): string[] {
  return chain.map(({ signatureAlgorithm }) => `signature: ${signatureAlgorithm}`);
}

function readCertificate({ certificate, chain: [x509] }: TlsConnection) {
  if (!x509) throw new NetworkError('the server sent no certificate', 'refused');
  const { issuer, subject, subjectaltname } = certificate;
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
