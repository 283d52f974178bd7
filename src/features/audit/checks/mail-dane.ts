import type { Check } from '../check.ts';
import { isUsable, matchDane, type Tlsa } from '../dane.ts';
import { assertValidating } from '../dns-records.ts';
import { findMailRoute } from '../mail-route.ts';

export const mailDane: Check = {
  id: 'mail-dane',
  group: 'mail',
  findings: {
    matches: 'passed',
    mismatch: 'failed',
    invalid: 'failed',
    unusable: 'failed',
    'no-encryption': 'failed',
    none: 'missing',
    unsigned: 'not-measurable',
    'no-mail': 'not-measurable',
  },
  async run({ domain, network, now }) {
    const { dns } = network;
    const route = await findMailRoute(dns, domain);
    const [server = '.'] = route.servers;
    if (server === '.') return { finding: 'no-mail' };
    const values = { server };
    const { records, authenticated } = await dns.query(`_25._tcp.${server}`, 'TLSA');
    // A sender trusts the record only if it and the MX record are signed (RFC 7672, 2.2).
    if (!authenticated || !route.answer.authenticated) {
      await assertValidating(dns);
      return { finding: 'unsigned', values: { server: authenticated ? route.domain : server } };
    }
    if (records.length === 0) return { finding: 'none', values };
    const evidence = records.map(({ text }) => `TLSA ${text}`);
    const usable = records.map(({ data }) => data as Tlsa).filter(isUsable);
    if (usable.length === 0) return { finding: 'unusable', values, evidence };
    const { tls } = await network.smtpHello(server);
    if (!tls) return { finding: 'no-encryption', values, evidence };
    const names = [server, route.domain];
    const finding = matchDane({ records: usable, chain: tls.chain, names, now });
    return { finding, values, evidence };
  },
};
