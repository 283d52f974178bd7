import type { AuditNetwork, Fetched } from '../../../core/network/network.ts';
import { NetworkError } from '../../../core/network/network-error.ts';
import type { Check } from '../check.ts';
import { parseTags, readTexts } from '../dns-records.ts';
import { findMailRoute } from '../mail-route.ts';

export const mailMtaSts: Check = {
  id: 'mail-mta-sts',
  group: 'mail',
  findings: {
    enforced: 'passed',
    testing: 'attention',
    disabled: 'attention',
    'mx-not-listed': 'attention',
    'invalid-policy': 'attention',
    'untrusted-policy': 'attention',
    'invalid-record': 'attention',
    none: 'missing',
    'no-mail': 'not-measurable',
  },
  async run({ domain, network }) {
    const { domain: mailDomain, servers } = await findMailRoute(network.dns, domain);
    const [first] = servers;
    if (first === undefined || first === '.') return { finding: 'no-mail' };
    const values = { domain: mailDomain };
    const texts = await readTexts(network.dns, `_mta-sts.${mailDomain}`);
    const records = texts.filter(text => /^v\s*=\s*STSv1\s*(;|$)/.test(text));
    const [record] = records;
    if (record === undefined) return { finding: 'none', values };
    if (records.length > 1 || !/^[a-z0-9]{1,32}$/i.test(parseTags(record).get('id') ?? ''))
      return { finding: 'invalid-record', values, evidence: records };
    const policy = await fetchPolicy(network, mailDomain);
    if ('problem' in policy) return { finding: 'invalid-policy', values, evidence: [record, policy.problem] };
    const { status, body, tls } = policy;
    if (tls?.problem) return { finding: 'untrusted-policy', values, evidence: [record, tls.problem] };
    const { mode, maxAge, patterns } = parsePolicy(body);
    const evidence = [
      record,
      `mode: ${mode}`,
      `max_age: ${maxAge}`,
      ...patterns.map(pattern => `mx: ${pattern}`),
    ];
    if (status !== 200) return { finding: 'invalid-policy', values, evidence: [record, `HTTP ${status}`] };
    if (!['enforce', 'testing', 'none'].includes(mode) || !/^\d{1,10}$/.test(maxAge))
      return { finding: 'invalid-policy', values, evidence };
    if (mode === 'none') return { finding: 'disabled', values, evidence };
    const server = servers.find(name => !patterns.some(pattern => isCovered(name, pattern)));
    if (server) return { finding: 'mx-not-listed', values: { ...values, server }, evidence };
    return { finding: mode === 'enforce' ? 'enforced' : 'testing', values, evidence };
  },
};

/** A host without an address, or one that refuses, is the usual way in which the policy is missing. */
async function fetchPolicy(network: AuditNetwork, domain: string): Promise<Fetched | { problem: string }> {
  try {
    return await network.fetch(`https://mta-sts.${domain}/.well-known/mta-sts.txt`);
  } catch (error) {
    if (error instanceof NetworkError && ['no-address', 'refused'].includes(error.kind))
      return { problem: error.message };
    throw error;
  }
}

/** Each mail server of a hostile domain, of which one answer holds thousands, is compared with each of them. */
const maxPatterns = 100;
/** RFC 8461, 3.3. */
const maxPolicyLength = 65_536;

export function parsePolicy(body: string): { mode: string; maxAge: string; patterns: string[] } {
  const fields = body
    .slice(0, maxPolicyLength)
    // Every line end that '.' does not match: the pattern below would try a rest after one of them again and again.
    .split(/[\r\n\u2028\u2029]+/)
    .map(line => /^([a-z_]+)\s*:\s*(.*)$/i.exec(line.trim()) ?? [])
    .map(([, name = '', value = '']) => [name.toLowerCase(), value.toLowerCase()] as const);
  const find = (wanted: string) => fields.find(([name]) => name === wanted)?.[1] ?? '';
  const isPolicy = fields.some(([name, value]) => name === 'version' && value === 'stsv1');
  const patterns = fields
    .filter(([name]) => name === 'mx')
    .map(([, value]) => value)
    .slice(0, maxPatterns);
  return { mode: isPolicy ? find('mode') : '', maxAge: find('max_age'), patterns };
}

/** RFC 8461, 4.1: '*.example.com' stands for exactly one label. */
function isCovered(server: string, pattern: string): boolean {
  if (!pattern.startsWith('*.')) return server === pattern;
  return server.slice(server.indexOf('.')) === pattern.slice(1);
}
