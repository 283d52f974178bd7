import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';

export type Tlsa = { usage: number; selector: number; matchingType: number; certificate: Buffer };

type Asked = {
  records: readonly Tlsa[];
  /** As the server sent them, its own first. */
  chain: readonly X509Certificate[];
  /** Of the mail server and of the domain: a certificate of a named authority must be for one of them. */
  names: readonly string[];
  now: Date;
};

const [anchorUsage, ownUsage] = [2, 3];
const digests: Record<number, { name: string; length: number }> = {
  1: { name: 'sha256', length: 32 },
  2: { name: 'sha512', length: 64 },
};

/** RFC 7672, 3.1: mail knows only DANE-TA(2) and DANE-EE(3). */
export function isUsable({ usage, selector, matchingType, certificate }: Tlsa): boolean {
  const isComplete =
    matchingType === 0 ? certificate.length > 0 : certificate.length === digests[matchingType]?.length;
  return [anchorUsage, ownUsage].includes(usage) && [0, 1].includes(selector) && isComplete;
}

/** 'invalid': a record names the authority, but the certificate is not in date or for another name (RFC 7671, 5.2). */
export function matchDane({ records, chain, names, now }: Asked): 'matches' | 'mismatch' | 'invalid' {
  const [own] = chain;
  if (!own) return 'mismatch';
  const values = new Set(dropWeaker(records).map(writeRecord));
  const isNamed = (certificate: X509Certificate, usage: number) =>
    listValues(certificate, usage).some(value => values.has(value));
  if (isNamed(own, ownUsage)) return 'matches';
  const path = findAnchoredPath(own, [...chain.slice(1), ...readAnchors(records)], certificate =>
    isNamed(certificate, anchorUsage),
  );
  const isAnchored = path.isEnded || readAnchorKeys(records).some(key => path.last.verify(key));
  if (!isAnchored) return 'mismatch';
  const isInDate = path.certificates.every(
    ({ validFromDate, validToDate }) => validFromDate <= now && now <= validToDate,
  );
  return isInDate && names.some(name => own.checkHost(name) !== undefined) ? 'matches' : 'invalid';
}

/** From the server's own certificate up to the first that is named, or as far as issuers are known. */
function findAnchoredPath(
  own: X509Certificate,
  others: readonly X509Certificate[],
  isAnchor: (certificate: X509Certificate) => boolean,
): { certificates: X509Certificate[]; last: X509Certificate; isEnded: boolean } {
  const certificates = [own];
  for (let last = own; ; ) {
    const issuer = others.find(
      one => one.ca && !certificates.includes(one) && last.checkIssued(one) && last.verify(one.publicKey),
    );
    if (!issuer) return { certificates, last, isEnded: false };
    certificates.push(issuer);
    last = issuer;
    if (isAnchor(last)) return { certificates, last, isEnded: true };
  }
}

/** Of records that differ only in their digest, the strongest counts (RFC 7671, 9). */
function dropWeaker(records: readonly Tlsa[]): Tlsa[] {
  const isStrong = (one: Tlsa) => one.matchingType === 2;
  const strong = new Set(records.filter(isStrong).map(({ usage, selector }) => `${usage} ${selector}`));
  return records.filter(one => one.matchingType !== 1 || !strong.has(`${one.usage} ${one.selector}`));
}

function writeRecord({ usage, selector, matchingType, certificate }: Tlsa): string {
  return `${usage} ${selector} ${matchingType} ${certificate.toString('hex')}`;
}

/** Every record that would name this certificate. */
function listValues({ raw, publicKey }: X509Certificate, usage: number): string[] {
  return [raw, exportKey(publicKey)].flatMap((part, selector) =>
    [0, 1, 2].map(matchingType => {
      const { name } = digests[matchingType] ?? {};
      const certificate = name ? createHash(name).update(part).digest() : part;
      return writeRecord({ usage, selector, matchingType, certificate });
    }),
  );
}

function exportKey(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

/** More are not worth their parsing. */
const maxAnchors = 4;

/** Authorities that the record holds whole, so that the server need not send them. */
function readAnchors(records: readonly Tlsa[]): X509Certificate[] {
  return listWhole(records, 0).flatMap(data => tryParse(() => new X509Certificate(data)));
}

function readAnchorKeys(records: readonly Tlsa[]): KeyObject[] {
  return listWhole(records, 1).flatMap(key =>
    tryParse(() => createPublicKey({ key, format: 'der', type: 'spki' })),
  );
}

function listWhole(records: readonly Tlsa[], wanted: number): Buffer[] {
  return records
    .filter(
      ({ usage, selector, matchingType }) =>
        usage === anchorUsage && selector === wanted && matchingType === 0,
    )
    .slice(0, maxAnchors)
    .map(({ certificate }) => certificate);
}

function tryParse<T>(parse: () => T): T[] {
  try {
    return [parse()];
  } catch {
    return [];
  }
}
