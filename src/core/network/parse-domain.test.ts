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
  ['example。com', 'example.com'],
])('reads the domain in %s', (input, domain) => {
  expect(parseDomain(input)).toBe(domain);
});

test.each([
  ...['', 'exa mple.com', `${'a'.repeat(64)}.com`, 'example.com\0.de', '\x1b[2J.com'],
  ...'localhost co.uk com . -a.com a..com a@b@ printer.local a.example a.internal 1.in-addr.arpa'.split(' '),
  ...'127.0.0.1 2130706433 0x7f.0.0.1 http://[::1]/ ::1 http://2130706433/ １２７.0.0.1'.split(' '),
  ...'ftp://example.com file:///etc/passwd javascript:alert(1)'.split(' '),
])('refuses %j', input => {
  expect(parseDomain(input)).toBeUndefined();
});
