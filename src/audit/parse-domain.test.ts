import { expect, test } from 'vitest';
import { parseDomain } from './parse-domain.ts';

test.each([
  ['example.com', 'example.com'],
  [' WWW.Example.CO.UK. ', 'example.co.uk'],
  ['https://user:pass@www.example.com:8443/path?query#part', 'example.com'],
  ['example.com/contact', 'example.com'],
  ['info@example.com', 'example.com'],
  ['shop.example.com', 'shop.example.com'],
  ['www.com', 'www.com'],
  ['bücher.de', 'xn--bcher-kva.de'],
  ['https://bücher.de/', 'xn--bcher-kva.de'],
  ['example。com', 'example.com'],
])('reads the domain in %s', (input, domain) => {
  expect(parseDomain(input)).toBe(domain);
});

test.each([
  ...['', 'localhost', 'co.uk', 'com', '.', 'exa mple.com', '-a.com', 'a..com', `${'a'.repeat(64)}.com`],
  ...['127.0.0.1', '2130706433', '0x7f.0.0.1', 'http://[::1]/', '::1', 'http://2130706433/', '１２７.0.0.1'],
  ...[
    'printer.local',
    'a.test',
    'a.example',
    'a.invalid',
    'a.localhost',
    'a.internal',
    'x.onion',
    '1.in-addr.arpa',
  ],
  ...[
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'example.com\0.de',
    'a@b@',
    '\x1b[2J.com',
  ],
])('refuses %j', input => {
  expect(parseDomain(input)).toBeUndefined();
});
