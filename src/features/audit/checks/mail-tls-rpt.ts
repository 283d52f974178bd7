import type { Check } from '../check.ts';
import { parseTags, readTexts } from '../dns-records.ts';
import { findMailRoute } from '../mail-route.ts';

export const mailTlsRpt: Check = {
  id: 'mail-tls-rpt',
  group: 'mail',
  findings: {
    requested: 'passed',
    invalid: 'attention',
    none: 'missing',
    'no-mail': 'not-measurable',
  },
  async run({ domain, network: { dns } }) {
    const { domain: mailDomain, servers } = await findMailRoute(dns, domain);
    if (servers.length === 0 || servers.includes('.')) return { finding: 'no-mail' };
    const texts = await readTexts(dns, `_smtp._tls.${mailDomain}`);
    const records = texts.filter(text => /^v\s*=\s*TLSRPTv1\s*(;|$)/.test(text));
    const values = { domain: mailDomain };
    if (records.length === 0) return { finding: 'none', values };
    const receivers = parseTags(records[0] ?? '').get('rua') ?? '';
    const isValid = records.length === 1 && /^(mailto:\S+@\S+|https:\/\/\S+)/i.test(receivers);
    return { finding: isValid ? 'requested' : 'invalid', values, evidence: records };
  },
};
