import type { Check } from '../check.ts';
import { fetchHomePage, readHeaders, readHtml } from '../home-page.ts';
import { readMeta } from '../read-html.ts';

const guarding = ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'];
const leaking = ['no-referrer-when-downgrade', 'origin', 'origin-when-cross-origin', 'unsafe-url'];

export const webReferrerPolicy: Check = {
  id: 'web-referrer-policy',
  group: 'web',
  // Without the header, browsers use strict-origin-when-cross-origin.
  findings: { guarded: 'passed', default: 'passed', invalid: 'attention', leaks: 'attention' },
  async run(context) {
    const { page } = await fetchHomePage(context);
    const values = [...readHeaders(page, 'referrer-policy'), ...readMeta(readHtml(page), 'name', 'referrer')];
    if (values.length === 0) return { finding: 'default' };
    const evidence = values.map(value => `Referrer-Policy: ${value}`);
    // The last value that a browser knows counts; the ones before it are for older browsers.
    const policy = values
      .flatMap(value => value.toLowerCase().split(','))
      .map(one => one.trim())
      .findLast(one => guarding.includes(one) || leaking.includes(one));
    if (!policy) return { finding: 'invalid', evidence };
    return { finding: guarding.includes(policy) ? 'guarded' : 'leaks', values: { policy }, evidence };
  },
};
