import { getRegistrableDomain } from '../../../core/network/parse-domain.ts';
import type { Check } from '../check.ts';

const usualNames = [
  ...['www', 'mail', 'blog', 'shop', 'app', 'api'],
  ...['dev', 'staging', 'test', 'docs', 'status', 'support'],
];

export const namesDangling: Check = {
  id: 'names-dangling',
  group: 'names',
  findings: { none: 'passed', dangling: 'attention' },
  async run({ domain, network: { dns } }) {
    const parent = getRegistrableDomain(domain);
    const settled = await Promise.allSettled(
      usualNames.map(async label => {
        const name = `${label}.${parent}`;
        const { exists, aliases: targets } = await dns.query(name, 'A');
        return { label, name, target: targets.at(-1), exists };
      }),
    );
    // One name that DNS fails for does not hide the others.
    const aliases = settled.flatMap(one => (one.status === 'fulfilled' ? one.value : []));
    const [failed] = settled.filter(one => one.status === 'rejected');
    if (failed && aliases.length === 0) throw failed.reason;
    const values = { tried: aliases.map(({ label }) => label).join(', ') };
    // An alias of a name that does not exist: who registers that name has ours.
    const dangling = aliases.filter(({ target, exists }) => target !== undefined && !exists);
    const [first] = dangling;
    if (!first) return { finding: 'none', values };
    return {
      finding: 'dangling',
      values: { ...values, name: first.name, target: first.target ?? '' },
      evidence: dangling.map(({ name, target }) => `${name} CNAME ${target}`),
    };
  },
};
