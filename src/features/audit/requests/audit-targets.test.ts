import { syncBuiltinESMExports } from 'node:module';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { createDnsServer } from '../../../../tests/fakes/dns-server.ts';
import { publicPolicy } from '../../../core/network/policy.ts';
import { createPublicNetwork } from './audit-network.ts';
import { listDenied } from './audit-targets.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test('an audit for a visitor connects neither to this machine nor to our domain or one that opted out', async () => {
  vi.spyOn(publicPolicy, 'connect').mockImplementation(() => expect.unreachable('a connection was opened'));
  const eth0 = [{ address: '8.8.8.8' } as NetworkInterfaceInfo];
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0 });
  syncBuiltinESMExports();
  await using dns = await createDnsServer({ 'own.com': { A: ['8.8.8.8'] } });
  const siteUrl = 'https://www.wardhouse.co.uk';
  const audit = { isOn: true, deny: ['denied.com'], resolvers: [dns.address] };
  const settings = { ...audit, deny: listDenied(audit.deny, siteUrl), siteUrl };
  const network = createPublicNetwork(settings, AbortSignal.timeout(5000));
  await expect(network.fetch('https://own.com/')).rejects.toThrow('an address that is not public');
  // A redirect or an MX record may lead there.
  for (const host of ['www.wardhouse.co.uk', 'admin.wardhouse.co.uk', 'mail.denied.com']) {
    await expect(network.fetch(`https://${host}/`)).rejects.toThrow(`${host} is not audited`);
    await expect(network.smtpHello(host)).rejects.toThrow(`${host} is not audited`);
  }
});
