import { expect, test } from 'vitest';
import { parsePolicy } from './checks/mail-mta-sts.ts';
import { parseCsp } from './csp.ts';
import { parseTags } from './dns-records.ts';
import { findBaseUrl, readStartTags } from './read-html.ts';

test.each([
  // A tree builder would repeat each open <b> in every paragraph: 10,000 × 40,000 elements.
  [
    'formatting elements',
    Array.from({ length: 10_000 }, (_, at) => `<b a=${at}>`).join('') + '<p>'.repeat(100_000),
  ],
  ['an element named like a property of objects', '<constructor>text<a>'.repeat(1000)],
  ['deep nesting', '<div>'.repeat(100_000)],
  ['an endless tag', `<a ${'x '.repeat(250_000)}`],
  ['many attributes', `<a ${Array.from({ length: 60_000 }, (_, at) => `x${at}=1`).join(' ')}>`],
])('reads %s in linear time', (_, body) => {
  const start = performance.now();
  expect(readStartTags({ body }).length).toBeLessThanOrEqual(20_000);
  expect(performance.now() - start).toBeLessThan(2000);
});

test('keeps no long base URL and no endless list, each repeated for every tag or mail server, and reads records in linear time', () => {
  const base = readStartTags({ body: `<base href="http://other.example/${'a'.repeat(250_000)}/">` });
  expect(findBaseUrl(base, 'https://example.com/')).toBe('http://other.example');
  expect(findBaseUrl([], `https://example.com/${'a'.repeat(30_000)}`)).toBe('https://example.com');
  expect(findBaseUrl([], 'https://example.com/a/b')).toBe('https://example.com/a/b');
  expect(parsePolicy('mx: *.a\n'.repeat(60_000)).patterns.length).toBeLessThanOrEqual(100);
  const start = performance.now();
  const tags = parseTags(
    ` V = DMARC1 ;p=none; p=reject; rua=mailto:a@b?c=d; =x; y; k=${' '.repeat(60_000)}x `,
  );
  expect(Object.fromEntries(tags)).toEqual({ v: 'DMARC1', p: 'none', rua: 'mailto:a@b?c=d', k: 'x' });
  expect(parsePolicy(`mx:${' '.repeat(500_000)}a\rb`).patterns).toEqual(['']);
  expect(performance.now() - start).toBeLessThan(2000);
  expect(parseCsp(['a,'.repeat(250_000), 'b']).length).toBeLessThanOrEqual(100);
});
