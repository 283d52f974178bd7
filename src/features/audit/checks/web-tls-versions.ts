import type { AuditNetwork, TlsVersion } from '../../../core/network/network.ts';
import { NetworkError } from '../../../core/network/network-error.ts';
import type { Check } from '../check.ts';
import { findWebHost } from '../home-page.ts';

const versions: TlsVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];
export const versionLabels: Record<TlsVersion, string> = {
  TLSv1: 'TLS 1.0',
  'TLSv1.1': 'TLS 1.1',
  'TLSv1.2': 'TLS 1.2',
  'TLSv1.3': 'TLS 1.3',
};
/** Our own OpenSSL refuses to try: nothing is known of the server. */
const ownRefusal = /NO_PROTOCOLS_AVAILABLE|NO_CIPHERS_AVAILABLE|INTERNAL_ERROR/;

export const webTlsVersions: Check = {
  id: 'web-tls-versions',
  group: 'web',
  findings: {
    modern: 'passed',
    'without-tls13': 'attention',
    'old-versions': 'attention',
    'only-old': 'failed',
  },
  async run({ domain, network }) {
    const host = await findWebHost({ domain, network });
    // Fails where there is no TLS at all, so that a refusal below is one of the version.
    const { protocol } = await network.handshake({ host, minVersion: 'TLSv1' });
    const isOffered = await Promise.all(versions.map(version => offers(network, host, version)));
    const offered = versions.filter((_, at) => isOffered[at]);
    // A server that limits its connections refuses some of ours.
    if (!offered.includes(protocol)) throw new NetworkError('the server did not answer each time', 'refused');
    const refused = versions.filter((_, at) => !isOffered[at]);
    const values = { offered: join(offered), refused: join(refused) };
    const evidence = [`offered: ${values.offered}`, `refused: ${values.refused || 'none'}`];
    const isOld = offered.includes('TLSv1') || offered.includes('TLSv1.1');
    if (!offered.includes('TLSv1.2') && !offered.includes('TLSv1.3'))
      return { finding: 'only-old', values, evidence };
    if (isOld) return { finding: 'old-versions', values, evidence };
    return { finding: offered.includes('TLSv1.3') ? 'modern' : 'without-tls13', values, evidence };
  },
};

async function offers(network: AuditNetwork, host: string, version: TlsVersion): Promise<boolean> {
  try {
    await network.handshake({ host, minVersion: version, maxVersion: version });
    return true;
  } catch (error) {
    if (error instanceof NetworkError && error.kind === 'refused' && !ownRefusal.test(error.message))
      return false;
    throw error;
  }
}

function join(list: TlsVersion[]): string {
  return list.map(version => versionLabels[version]).join(', ');
}
