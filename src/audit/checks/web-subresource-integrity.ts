import type { Check } from '../check.ts';
import { assertReadWhole, fetchHomePage, readHtml } from '../home-page.ts';
import { getRegistrableDomain } from '../parse-domain.ts';
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
    const foreign = tags.flatMap(({ name, attributes }) => {
      const url = name === 'script' ? URL.parse(attributes.get('src') ?? '', baseUrl) : null;
      if (!url || !/^https?:$/.test(url.protocol) || getRegistrableDomain(url.hostname) === own) return [];
      return [{ url: url.href, hasIntegrity: Boolean(attributes.get('integrity')?.trim()) }];
    });
    const without = foreign.filter(({ hasIntegrity }) => !hasIntegrity);
    if (without.length > 0)
      return {
        finding: 'without',
        values: { count: String(without.length) },
        evidence: without.map(({ url }) => url),
      };
    assertReadWhole(page);
    return { finding: foreign.length === 0 ? 'not-needed' : 'all' };
  },
};
