import type { Check } from '../check.ts';
import { type CspPolicy, readCsp } from '../csp.ts';
import { fetchHomePage, readHeaders } from '../home-page.ts';

/** From bad to good: where a page has several policies, all of them apply, and the best one protects. */
const order = ['wide', 'unsafe-inline', 'unsafe-eval', 'insecure-scheme', 'strict'] as const;

export const webCsp: Check = {
  id: 'web-csp',
  group: 'web',
  findings: {
    strict: 'passed',
    'insecure-scheme': 'attention',
    'unsafe-eval': 'attention',
    'unsafe-inline': 'attention',
    wide: 'attention',
    'report-only': 'missing',
    none: 'missing',
  },
  async run(context) {
    const { page } = await fetchHomePage(context);
    const policies = readCsp(page);
    if (policies.length === 0) {
      const reported = readHeaders(page, 'content-security-policy-report-only');
      return { finding: reported.length > 0 ? 'report-only' : 'none', evidence: reported };
    }
    const judged = policies.map(judgePolicy);
    const finding = order.findLast(one => judged.includes(one)) ?? 'wide';
    return { finding, evidence: policies.map(formatPolicy) };
  },
};

function judgePolicy(policy: CspPolicy): (typeof order)[number] {
  const scripts = policy.get('script-src') ?? policy.get('default-src');
  if (!scripts) return 'wide';
  const isStrictDynamic = scripts.includes("'strict-dynamic'");
  const hasNonceOrHash = scripts.some(source => /^'(nonce|sha(256|384|512))-/.test(source));
  // Browsers ignore unsafe-inline beside a nonce or hash, and hosts and schemes beside strict-dynamic.
  if (scripts.includes("'unsafe-inline'") && !hasNonceOrHash && !isStrictDynamic) return 'unsafe-inline';
  if (!isStrictDynamic && scripts.some(source => /^(\*|https?:|data:|blob:|wss?:)$/.test(source)))
    return 'wide';
  if (scripts.includes("'unsafe-eval'")) return 'unsafe-eval';
  const isInsecure = [...policy].some(
    ([name, sources]) => name.endsWith('-src') && sources.some(source => /^(http|ws):/.test(source)),
  );
  return isInsecure ? 'insecure-scheme' : 'strict';
}

function formatPolicy(policy: CspPolicy): string {
  return [...policy].map(([name, sources]) => [name, ...sources].join(' ')).join('; ');
}
