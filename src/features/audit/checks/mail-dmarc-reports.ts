import { getRegistrableDomain } from '../../../core/network/parse-domain.ts';
import type { Check } from '../check.ts';
import { isDmarc, readDmarc } from '../dmarc.ts';
import { parseTags, readTexts } from '../dns-records.ts';

export const mailDmarcReports: Check = {
  id: 'mail-dmarc-reports',
  group: 'mail',
  findings: {
    requested: 'passed',
    refused: 'attention',
    none: 'attention',
    'no-dmarc': 'not-measurable',
  },
  async run({ domain, network: { dns } }) {
    const { owner, records } = await readDmarc(dns, domain);
    const [record] = records;
    if (record === undefined || records.length > 1) return { finding: 'no-dmarc' };
    const receivers = listReportDomains(parseTags(record).get('rua') ?? '');
    const evidence = [record];
    if (receivers.length === 0) return { finding: 'none', values: { domain: owner }, evidence };
    for (const receiver of receivers) {
      if (getRegistrableDomain(receiver) === getRegistrableDomain(owner)) continue;
      // RFC 7489, 7.1: another domain says so if it wants the reports.
      const consents = await readTexts(dns, `${owner}._report._dmarc.${receiver}`);
      if (!consents.some(isDmarc))
        return { finding: 'refused', values: { domain: owner, receiver }, evidence };
    }
    return { finding: 'requested', values: { receivers: receivers.join(', ') }, evidence };
  },
};

/** 'mailto:a@example.com!10m,mailto:b@example.org'; at most three are asked. */
function listReportDomains(rua: string): string[] {
  const domains = rua
    .split(',')
    .flatMap(uri => /^\s*mailto:[^@\s]+@([a-z0-9.-]+)(![0-9]+[kmgt]?)?\s*$/i.exec(uri)?.[1] ?? []);
  return [...new Set(domains.map(one => one.toLowerCase()))].slice(0, 3);
}
