import { type Check, maxEvidenceLines } from '../check.ts';
import { readCsp } from '../csp.ts';
import { assertReadWhole, fetchHomePage, readHtml } from '../home-page.ts';
import { NetworkError } from '../net/network-error.ts';
import { parseUrl } from '../parse-url.ts';
import { findBaseUrl, type StartTag } from '../read-html.ts';

/** What a page loads by itself, by the attribute that names it. Browsers block the first and upgrade or warn of the second. */
const active: Record<string, string> = { script: 'src', iframe: 'src', embed: 'src', object: 'data' };
const passive: Record<string, string> = { img: 'src', audio: 'src', video: 'src', source: 'src' };

export const webMixedContent: Check = {
  id: 'web-mixed-content',
  group: 'web',
  findings: { none: 'passed', upgraded: 'passed', passive: 'attention', form: 'failed', active: 'failed' },
  async run(context) {
    const { page } = await fetchHomePage(context);
    if (!page.url.startsWith('https:')) throw new NetworkError('the home page is not on HTTPS');
    const tags = readHtml(page);
    const baseUrl = findBaseUrl(tags, page.url);
    const urls = (names: Record<string, string>) =>
      tags.values().flatMap(tag => toInsecureUrl(tag.attributes.get(names[tag.name] ?? ''), baseUrl));
    const sheets = tags
      .values()
      .filter(isStyleSheet)
      .flatMap(tag => toInsecureUrl(tag.attributes.get('href'), baseUrl));
    // A hostile page has 20,000, each with the length of its base.
    const first = (found: IteratorObject<string>) => found.take(maxEvidenceLines).toArray();
    const found = {
      active: [...first(urls(active)), ...first(sheets)],
      form: first(urls({ form: 'action' })),
      passive: first(urls(passive)),
    };
    const finding = (['active', 'form', 'passive'] as const).find(kind => found[kind].length > 0);
    if (!finding) {
      assertReadWhole(page);
      return { finding: 'none' };
    }
    const isUpgraded = readCsp(page).some(policy => policy.has('upgrade-insecure-requests'));
    return { finding: isUpgraded ? 'upgraded' : finding, evidence: found[finding] };
  },
};

function isStyleSheet({ name, attributes }: StartTag): boolean {
  return name === 'link' && /\bstylesheet\b/i.test(attributes.get('rel') ?? '');
}

function toInsecureUrl(text: string | undefined, base: string): string[] {
  const url = text === undefined ? null : parseUrl(text, base);
  return url?.protocol === 'http:' ? [url.href] : [];
}
