import { expect, test } from 'vitest';
import { findBaseUrl, readStartTags } from '../../features/audit/read-html.ts';
import { parseHostName } from '../../lib/host-name.ts';
import { parseDomain } from './parse-domain.ts';
import { parseUrl } from './parse-url.ts';

const letters = 'ü'.repeat(5400);

test.each([
  `http://${letters}.com/a.js`,
  `\0 //${letters}.com/a.js`,
  `\\\\${letters}.com`,
  `https:${letters}.com`,
  `ht\ntp:/\t/user:word@${letters}.com:8080`,
  `http://user@${encodeURIComponent(letters)}?`,
  `http://${'a'.repeat(250_000)}.com/`,
])('%.20s… has a host over 253 characters and is refused before it is parsed', text => {
  const started = performance.now();
  for (let count = 0; count < 20; count += 1) expect(parseUrl(text, 'https://example.com/')).toBe(null);
  expect(performance.now() - started).toBeLessThan(300);
});

test.each([
  [`/${letters}`, 'example.com'],
  [letters, 'example.com'],
  [`//münchen.example:8080/${letters}`, 'xn--mnchen-3ya.example:8080'],
  [`http://${'u'.repeat(300)}:${'p'.repeat(300)}@cdn.example/`, 'cdn.example'],
  ['http:relative', 'relative'],
  [`?q=http://${letters}`, 'example.com'],
])('%.20s… is parsed as browsers do', (text, host) => {
  expect(parseUrl(text, 'https://example.com/')?.host).toBe(host);
});

test('what a visitor types and the base of a page are bounded in the same way', () => {
  const started = performance.now();
  expect(parseHostName(`${letters}.com`)).toBe(undefined);
  expect(parseDomain(`http://${letters.slice(0, 1900)}.com/`)).toBe(undefined);
  const tags = readStartTags({ body: `<base href="http://${'a'.repeat(250_000)}.com/">` });
  expect(findBaseUrl(tags, 'https://example.com/a')).toBe('https://example.com/a');
  expect(performance.now() - started).toBeLessThan(100);
});
