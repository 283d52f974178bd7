import type { Check } from '../check.ts';
import { fetchHomePage, readHeaders } from '../home-page.ts';

export const webNosniff: Check = {
  id: 'web-nosniff',
  group: 'web',
  findings: { set: 'passed', invalid: 'attention', none: 'missing' },
  async run(context) {
    const { page } = await fetchHomePage(context);
    const values = readHeaders(page, 'x-content-type-options');
    if (values.length === 0) return { finding: 'none' };
    // Browsers read the first of several values.
    const isSet = values.join(',').split(',')[0]?.trim().toLowerCase() === 'nosniff';
    const evidence = values.map(value => `X-Content-Type-Options: ${value}`);
    return { finding: isSet ? 'set' : 'invalid', evidence };
  },
};
