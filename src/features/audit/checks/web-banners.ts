import type { Check } from '../check.ts';
import { fetchHomePage, readHeaders, readHtml } from '../home-page.ts';
import { readMeta } from '../read-html.ts';

const bannerHeaders = ['server', 'x-powered-by', 'x-aspnet-version', 'x-aspnetmvc-version', 'x-generator'];
/** Without repetition: of a long number, each digit would be tried to its end. */
const version = /\d\.\d|\/\d/;

export const webBanners: Check = {
  id: 'web-banners',
  group: 'web',
  findings: { none: 'passed', versions: 'attention' },
  async run(context) {
    const { page } = await fetchHomePage(context);
    const banners = [
      ...bannerHeaders.flatMap(name => readHeaders(page, name).map(value => ({ name, value }))),
      ...readMeta(readHtml(page), 'name', 'generator').map(value => ({ name: 'generator', value })),
    ].filter(({ value }) => version.test(value));
    if (banners.length === 0) return { finding: 'none' };
    return {
      finding: 'versions',
      values: { software: banners.map(({ value }) => value).join(', ') },
      evidence: banners.map(({ name, value }) => `${name}: ${value}`),
    };
  },
};
