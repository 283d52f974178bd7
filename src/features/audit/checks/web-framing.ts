import type { Check } from '../check.ts';
import { readHeaderCsp } from '../csp.ts';
import { fetchHomePage, readHeaders } from '../home-page.ts';

export const webFraming: Check = {
  id: 'web-framing',
  group: 'web',
  findings: { csp: 'passed', header: 'passed', wide: 'attention', invalid: 'attention', none: 'missing' },
  async run(context) {
    const { page } = await fetchHomePage(context);
    // In a meta element, browsers ignore frame-ancestors.
    const ancestors = readHeaderCsp(page).flatMap(policy => {
      const sources = policy.get('frame-ancestors');
      return sources ? [sources] : [];
    });
    if (ancestors.length > 0) {
      const isWide = ancestors.every(sources => sources.some(source => /^(\*|https?:)$/.test(source)));
      const evidence = ancestors.map(sources => `frame-ancestors ${sources.join(' ')}`);
      return { finding: isWide ? 'wide' : 'csp', evidence };
    }
    const values = readHeaders(page, 'x-frame-options');
    if (values.length === 0) return { finding: 'none' };
    const tokens = new Set(values.flatMap(value => value.toLowerCase().split(',')).map(one => one.trim()));
    const isValid = tokens.size === 1 && (tokens.has('deny') || tokens.has('sameorigin'));
    return {
      finding: isValid ? 'header' : 'invalid',
      evidence: values.map(value => `X-Frame-Options: ${value}`),
    };
  },
};
