import { findRedirect } from '../../../core/network/create-network.ts';
import { NetworkError } from '../../../core/network/network-error.ts';
import type { Check } from '../check.ts';
import { findWebHost, isUnreachable } from '../home-page.ts';

export const webRedirect: Check = {
  id: 'web-redirect',
  group: 'web',
  findings: {
    redirects: 'passed',
    'no-http': 'passed',
    'other-host': 'attention',
    late: 'attention',
    none: 'missing',
  },
  async run({ domain, network }) {
    const host = await findWebHost({ domain, network });
    const url = `http://${host}/`;
    const first = await network.fetch(url).catch(async error => {
      // No HTTP at all is as good as a redirect, if there is a website.
      if (isUnreachable(error)) await network.fetch(`https://${host}/`);
      else throw error;
    });
    if (!first) return { finding: 'no-http' };
    if (first.status >= 400) throw new NetworkError(`${url} answered with status ${first.status}`);
    const target = URL.parse(findRedirect(first) ?? '');
    // Of the name that was examined, which may be www: the words tell where to redirect to.
    const values = { domain: host };
    if (!target) return { finding: 'none', values, evidence: [`${url}: status ${first.status}`] };
    const evidence = [`${url} → ${target.href}`];
    if (target.protocol === 'https:')
      return {
        finding: target.hostname === host ? 'redirects' : 'other-host',
        values: { ...values, host: target.hostname },
        evidence,
      };
    const { page } = await network.fetchFollowing(url);
    return {
      finding: page.url.startsWith('https:') ? 'late' : 'none',
      values,
      evidence: [...evidence, `… → ${page.url}`],
    };
  },
};
