import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { isGlobalUnicast, isOwnAddress } from './policy.ts';

test.each([
  ['loopback', '127.0.0.1 127.255.255.254 ::1'],
  ['private', '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fd00::1 fc00::1 fec0::1'],
  ['link-local, with the metadata service of clouds', '169.254.169.254 fe80::1 fe80::1%eth0'],
  ['shared by a provider', '100.64.0.1 100.127.255.254'],
  ['unspecified and broadcast', '0.0.0.0 0.1.2.3 :: 255.255.255.255'],
  ['multicast', '224.0.0.1 239.255.255.255 ff02::1'],
  [
    'documentation and benchmarks',
    '192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 2001:db8::1 3fff::1 2001:2::1',
  ],
  [
    'a provider to its guests',
    '168.63.129.16 161.26.0.10 161.26.255.255 166.8.0.1 166.11.255.255 199.36.153.8 199.36.153.11',
  ],
  ['reserved', '192.0.0.8 240.0.0.1 100::1 4000::1 5f00::1'],
  ['mapped IPv4', '::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1 ::127.0.0.1 ::ffff:0:127.0.0.1'],
  ['6to4, Teredo and NAT64', '2002:7f00:1:: 2001:0:7f00:1:: 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1'],
  ['ISATAP', '2606:4700::5efe:a00:1 2606:4700::200:5efe:127.0.0.1'],
  ['not an IP address as it is written', '0177.0.0.1 0x7f.1 2130706433 127.1 8.8.8.8. [::1] localhost'],
])('connects to no address that is %s: %s', (_, ips) => {
  expect(ips.split(' ').filter(isGlobalUnicast)).toEqual([]);
  expect(['8.8.8.8', '161.27.0.1', '199.36.153.12', '2606:4700:4700::1111'].every(isGlobalUnicast)).toBe(
    true,
  );
});

test('an address of this machine is known in every form', () => {
  const own = ['203.0.113.7', '2001:db8:0::7'].map(address => ({ address }));
  const isOwn = (ip: string) => isOwnAddress(ip, { eth0: own as NetworkInterfaceInfo[] });
  expect(['203.0.113.7', '2001:db8::7', '2001:DB8:0:0::7'].map(isOwn)).toEqual([true, true, true]);
  expect(['203.0.113.8', '2001:db8::8'].map(isOwn)).toEqual([false, false]);
});
