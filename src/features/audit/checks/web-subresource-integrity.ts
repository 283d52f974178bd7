import { getRegistrableDomain } from '../../../core/network/parse-domain.ts';
import { parseUrl } from '../../../core/network/parse-url.ts';
import { type Check, maxEvidenceLines } from '../check.ts';
import { assertReadWhole, fetchHomePage, readHtml } from '../home-page.ts';
import { findBaseUrl } from '../read-html.ts';

export const webSubresourceIntegrity: Check = {
  id: 'web-subresource-integrity',
  group: 'web',
  findings: { 'not-needed': 'passed', all: 'passed', without: 'attention' },
  async run(context) {
    const { page } = await fetchHomePage(context);
    const tags = readHtml(page);
    const baseUrl = findBaseUrl(tags, page.url);
    // Scripts from other hosts of the same owner are no third party's.
    const own = getRegistrableDomain(new URL(page.url).hostname);
    let [foreign, without] = [0, 0];
    const evidence: string[] = [];
    for (const { name, attributes } of tags) {
      const url = name === 'script' ? parseUrl(attributes.get('src') ?? '', baseUrl) : null;
      if (!url || !/^https?:$/.test(url.protocol) || getRegistrableDomain(url.hostname) === own) continue;
      foreign += 1;
      if (attributes.get('integrity')?.trim()) continue;
      without += 1;
      if (without <= maxEvidenceLines) evidence.push(url.href);
    }
    if (without > 0) return { finding: 'without', values: { count: String(without) }, evidence };
    assertReadWhole(page);
    return { finding: foreign === 0 ? 'not-needed' : 'all' };
  },
};
