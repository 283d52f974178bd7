import { describe, expect, test, vi } from 'vitest';
import { createClientIp, type IpRange, parseRange } from './client-ip.ts';

const trusted = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'].map(parseRange) as IpRange[];
const clientIp = createClientIp(trusted);

describe('the client address', () => {
  test.each([
    ['203.0.113.7', undefined, '203.0.113.7'],
    ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['127.0.0.1', 'made-up, 192.0.2.9, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
    ['127.0.0.1', '192.0.2.9, nonsense', '127.0.0.1'],
    ['127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['127.0.0.1', '[2001:db8:1:2:3:4:5:6]:4711', '2001:db8:1:2/64'],
    ['fd00::1', '2001:DB8:0001:2::9', '2001:db8:1:2/64'],
    ['2001:db8:1:2:aaaa::1', undefined, '2001:db8:1:2/64'],
    ['fe80::1%eth0', undefined, 'fe80:0:0:0/64'],
    [undefined, undefined, ''],
  ])('from %j with X-Forwarded-For %j is %j', (peer, header, found) =>
    expect(clientIp(peer, header)).toBe(found),
  );

  test("is the peer's if no proxy is trusted", () =>
    expect(createClientIp([])('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1'));
});

test('an untrusted proxy is logged once', () => {
  const onUntrusted = vi.fn();
  const address = createClientIp(trusted, onUntrusted);
  address('127.0.0.1', '198.51.100.1');
  address('203.0.113.7', undefined);
  expect(onUntrusted).not.toHaveBeenCalled();
  for (const client of ['198.51.100.1', '198.51.100.2']) address('203.0.113.7', client);
  expect(onUntrusted).toHaveBeenCalledTimes(1);
});

test.each(['10.0.0.0/33', 'fd00::/129', '10.0.0', 'host', '10.0.0.0/8/8', '10.0.0.0/x', ''])(
  '%j is not an IP range',
  text => expect(parseRange(text)).toBeUndefined(),
);
