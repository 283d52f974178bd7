import { NetworkError } from '../../../core/network/network-error.ts';
import { parseUrl } from '../../../core/network/parse-url.ts';
import { type Check, maxEvidenceLines } from '../check.ts';
import { readCsp } from '../csp.ts';
import { assertReadWhole, fetchHomePage, readHtml } from '../home-page.ts';
import { type LoadedKind, listLoaded } from '../loaded-urls.ts';
import { findBaseUrl, maxTags } from '../read-html.ts';

export const webMixedContent: Check = {
  id: 'web-mixed-content',
  group: 'web',
  findings: { none: 'passed', upgraded: 'passed', passive: 'attention', form: 'failed', active: 'failed' },
  async run(context) {
    const { page } = await fetchHomePage(context);
    if (!page.url.startsWith('https:')) throw new NetworkError('the home page is not on HTTPS');
    const tags = readHtml(page);
    const baseUrl = findBaseUrl(tags, page.url);
    const found: Record<LoadedKind, string[]> = { active: [], form: [], passive: [] };
    let count = 0;
    for (const { kind, url } of listLoaded(tags)) {
      count += 1;
      if (count > maxTags) break;
      // A hostile page has 20,000, each with the length of its base.
      if (found[kind].length === maxEvidenceLines) continue;
      const target = parseUrl(url, baseUrl);
      if (target?.protocol === 'http:') found[kind].push(target.href);
    }
    const finding = (['active', 'form', 'passive'] as const).find(kind => found[kind].length > 0);
    if (!finding) {
      assertReadWhole(page);
      if (count > maxTags) throw new NetworkError('the home page loads more than we look at');
      return { finding: 'none' };
    }
    const isUpgraded = readCsp(page).some(policy => policy.has('upgrade-insecure-requests'));
    return { finding: isUpgraded ? 'upgraded' : finding, evidence: found[finding] };
  },
};
