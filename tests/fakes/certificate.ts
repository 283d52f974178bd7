import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export type KeyPair = { key: string; cert: string };
type Validity = { from?: string; until?: string };
type Keys = { publicKey: KeyObject; privateKey: KeyObject };
/** AIA: where clients find the certificate of the issuer. */
type IssueOptions = Validity & {
  hosts: string[];
  keys?: Keys;
  hasAia?: boolean;
  /** Names the host in the subject alone, as certificates did long ago. */
  isCommonNameOnly?: boolean;
  hash?: Hash;
};
type Hash = keyof typeof algorithms;

const always: Required<Validity> = { from: '20200101000000Z', until: '21200101000000Z' };

/** A self-signed certificate for one host and this machine, made anew each time: no private key lies in the repository. */
export function makeCertificate({
  host = 'localhost',
  ...validity
}: { host?: string } & Validity = {}): KeyPair {
  const { privateKey, publicKey } = createKeys();
  const address = der(0x87, Buffer.from([127, 0, 0, 1]));
  const subject = { name: host, publicKey, names: [dnsName(host), address], isAuthority: true };
  return { key: exportKey(privateKey), cert: signCertificate(subject, { name: host, privateKey }, validity) };
}

/** An authority of a test: what it issues is trusted where `cert` is. Its certificates share one key, which is quick. */
export function createAuthority(name = 'Test Authority', { parent, ...validity }: AuthorityOptions = {}) {
  const own = createKeys();
  const leaf = createKeys();
  const issuer = { name, privateKey: own.privateKey };
  const subject = { name, publicKey: own.publicKey, names: [], isAuthority: true };
  return {
    issuer,
    cert: signCertificate(subject, parent?.issuer ?? issuer, validity),
    issue({
      hosts,
      keys = leaf,
      hasAia = false,
      isCommonNameOnly,
      hash,
      ...validity
    }: IssueOptions): KeyPair {
      const [name = ''] = hosts;
      const names = isCommonNameOnly ? [] : hosts.map(dnsName);
      const subject = { name, names, isAuthority: false, hasAia, publicKey: keys.publicKey };
      const cert = signCertificate(subject, issuer, validity, hash);
      return { key: exportKey(keys.privateKey), cert };
    },
  };
}

/** Without a parent it is a root. */
type AuthorityOptions = Validity & { parent?: { issuer: Issuer } };

type Subject = {
  name: string;
  publicKey: KeyObject;
  names: Buffer[];
  isAuthority: boolean;
  hasAia?: boolean;
};
type Issuer = { name: string; privateKey: KeyObject };

/** Of ECDSA with each hash. */
const algorithms = { sha256: '2a8648ce3d040302', sha1: '2a8648ce3d0401' };

function signCertificate(
  { name, publicKey, names, isAuthority, hasAia }: Subject,
  issuer: Issuer,
  validity: Validity,
  hash: Hash = 'sha256',
): string {
  const { from, until } = { ...always, ...validity };
  const algorithm = sequence(oid(algorithms[hash]));
  const issuerAccess = sequence(oid('2b06010505073002'), der(0x86, Buffer.from('http://ca.example/a.crt')));
  const extensions = [
    ...(names.length > 0 ? [sequence(oid('551d11'), der(0x04, sequence(...names)))] : []),
    ...(hasAia ? [sequence(oid('2b06010505070101'), der(0x04, sequence(issuerAccess)))] : []),
    ...(isAuthority ? [sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([0xff])))))] : []),
    // There must be one extension at least.
    ...(names.length === 0 && !isAuthority ? [sequence(oid('551d13'), der(0x04, sequence()))] : []),
  ];
  const content = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    commonName(issuer.name),
    sequence(time(from), time(until)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign(hash, content, issuer.privateKey);
  const whole = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  // Signatures differ in length: a full last line must not be followed by an empty one, which parsers reject.
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function createKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function exportKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function dnsName(host: string): Buffer {
  return der(0x82, Buffer.from(host));
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
}

/** One value of DER: its kind, its length, itself. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function time(value: string): Buffer {
  return der(0x18, Buffer.from(value));
}
