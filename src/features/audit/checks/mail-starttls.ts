import type { Check } from '../check.ts';
import { findFirstMailServer } from '../mail-route.ts';
import { versionLabels } from './web-tls-versions.ts';

export const mailStarttls: Check = {
  id: 'mail-starttls',
  group: 'mail',
  findings: {
    encrypted: 'passed',
    'old-version': 'attention',
    'expired-certificate': 'attention',
    'wrong-name': 'attention',
    'untrusted-certificate': 'attention',
    none: 'missing',
    'no-mail': 'not-measurable',
  },
  async run({ domain, network }) {
    const server = await findFirstMailServer(network.dns, domain);
    if (server === undefined) return { finding: 'no-mail' };
    const { greeting, tls } = await network.smtpHello(server);
    const values = { server };
    if (!tls) return { finding: 'none', values, evidence: [greeting] };
    const { protocol, cipher, certificate, problem } = tls;
    const evidence = [`${server}: ${protocol}, ${cipher}`, `certificate valid until ${certificate.valid_to}`];
    if (problem)
      return {
        finding: certificateFindings[problem] ?? 'untrusted-certificate',
        values,
        evidence: [...evidence, problem],
      };
    const isOld = protocol === 'TLSv1' || protocol === 'TLSv1.1';
    return {
      finding: isOld ? 'old-version' : 'encrypted',
      values: { ...values, protocol: versionLabels[protocol] },
      evidence,
    };
  },
};

const certificateFindings: Record<string, string> = {
  CERT_HAS_EXPIRED: 'expired-certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong-name',
};
