import type { Check } from '../check.ts';
import { fetchFrom, findWebHost, isUnreachable } from '../home-page.ts';

export const webHttps: Check = {
  id: 'web-https',
  group: 'web',
  findings: {
    reachable: 'passed',
    'leaves-https': 'failed',
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
      const { network } = context;
      const host = await findWebHost(context);
      // There is HTTPS, in versions that browsers refuse or with a bad answer: other checks tell of the versions.
      if (await network.handshake({ host, minVersion: 'TLSv1' }).catch(() => undefined)) throw error;
      const evidence = [(error as Error).message];
      // Not followed: it may lead to HTTPS, which does not answer.
      const plain = await network.fetch(`http://${host}/`).catch(() => undefined);
      return plain
        ? { finding: 'unreachable', values: { url: plain.url }, evidence }
        : { finding: 'no-website', evidence };
    }
  },
};
