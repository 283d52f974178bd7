import type { Check } from '../check.ts';
import { fetchFrom, isUnreachable } from '../home-page.ts';

export const webHttps: Check = {
  id: 'web-https',
  group: 'web',
  findings: {
    reachable: 'passed',
    'leaves-https': 'missing',
    unreachable: 'missing',
    'no-website': 'not-measurable',
  },
  async run(context) {
    try {
      const { page } = await fetchFrom('https', context);
      const finding = page.url.startsWith('https:') ? 'reachable' : 'leaves-https';
      return { finding, values: { url: page.url }, evidence: [`${page.url}: status ${page.status}`] };
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      const reason = (error as Error).message;
      const plain = await fetchFrom('http', context).catch(() => undefined);
      if (!plain) return { finding: 'no-website', evidence: [reason] };
      return { finding: 'unreachable', values: { url: plain.page.url }, evidence: [reason] };
    }
  },
};
