import { expect, test } from 'vitest';
import { parsePolicy } from './checks/mail-mta-sts.ts';
import { parseCsp } from './csp.ts';
import { parseTags } from './dns-records.ts';
import { listLoaded } from './loaded-urls.ts';
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
  ['comments of a style sheet', `<style>${'/*'.repeat(250_000)}`],
  ['strings of a style sheet', `<style>${'"'.repeat(500_000)}`],
  ['escapes of a style sheet', `<style>"${'\\a'.repeat(250_000)}`],
  ['addresses of a style sheet', `<style>${'url('.repeat(125_000)}`],
  ['addresses with spaces', `<style>${`image-set(${' '.repeat(1000)}`.repeat(500)}`],
  ['rules of a style sheet', `<style>${'@import '.repeat(60_000)}`],
  ['comments of a script', `<script>${'/*'.repeat(250_000)}`],
  ['strings of a script', `<script>${'`'.repeat(250_000)}${"'".repeat(250_000)}`],
  ['escapes of a script', `<script>"${'\\"'.repeat(250_000)}`],
  ['imports of a script', `<script type=module>${'import('.repeat(70_000)}`],
  ['letters of a script', `<script>${'a'.repeat(500_000)}`],
  ['candidates of a picture', `<img srcset="${'a, '.repeat(170_000)}">`],
  ['commas of a picture', `<img srcset="a${','.repeat(500_000)}b">`],
])('reads %s in linear time', (_, body) => {
  const start = process.cpuUsage();
  const tags = readStartTags({ body });
  expect(tags.length).toBeLessThanOrEqual(20_000);
  expect(listLoaded(tags).every(({ url }) => url !== '')).toBe(true);
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
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
