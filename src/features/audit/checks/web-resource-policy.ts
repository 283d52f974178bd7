import type { Check } from '../check.ts';
import { fetchHomePage, readHeaders } from '../home-page.ts';

const findings = {
  'same-origin': 'passed',
  'same-site': 'passed',
  'cross-origin': 'passed',
  none: 'passed',
  invalid: 'attention',
} as const;

export const webResourcePolicy: Check = {
  id: 'web-resource-policy',
  group: 'web',
  findings,
  async run(context) {
    const { page } = await fetchHomePage(context);
    const [value] = readHeaders(page, 'cross-origin-resource-policy');
    if (value === undefined) return { finding: 'none' };
    const isKnown = ['same-origin', 'same-site', 'cross-origin'].includes(value.toLowerCase());
    return {
      finding: isKnown ? value.toLowerCase() : 'invalid',
      evidence: [`Cross-Origin-Resource-Policy: ${value}`],
    };
  },
};
