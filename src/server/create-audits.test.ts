import { expect, test, vi } from 'vitest';
import { createDnsServer } from '../../tests/fakes/dns-server.ts';
import { publicPolicy } from '../audit/net/policy.ts';
import { createPublicNetwork } from './audit-network.ts';
import { listDenied } from './create-audits.ts';

const ownIp = '8.8.8.8';
vi.mock('node:os', async load => ({
  ...(await load<object>()),
  networkInterfaces: () => ({ eth0: [{ address: ownIp }] }),
}));

test('an audit for a visitor connects to no address of this machine', async () => {
  vi.spyOn(publicPolicy, 'connect').mockImplementation(() => expect.unreachable('a connection was opened'));
  await using dns = await createDnsServer({ 'own.com': { A: [ownIp] } });
  const settings = { resolvers: [dns.address], deny: [], siteUrl: undefined };
  const network = createPublicNetwork(settings, AbortSignal.timeout(5000));
  await expect(network.fetch('https://own.com/')).rejects.toThrow(
    'own.com has an address that is not public',
  );
});

test('an audit connects neither to a domain that opted out nor to ours, where a redirect or an MX record leads', async () => {
  const siteUrl = 'https://www.wardhouse.co.uk';
  const deny = listDenied({ audit: { isOn: true, deny: ['denied.com'], resolvers: [] }, siteUrl });
  const network = createPublicNetwork(
    { resolvers: ['127.0.0.1:9'], deny, siteUrl },
    AbortSignal.timeout(5000),
  );
  for (const host of ['www.wardhouse.co.uk', 'admin.wardhouse.co.uk', 'mail.denied.com']) {
    await expect(network.fetch(`https://${host}/`)).rejects.toThrow(`${host} is not audited`);
    await expect(network.smtpHello(host)).rejects.toThrow(`${host} is not audited`);
  }
});
