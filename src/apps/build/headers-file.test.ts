import { expect, test } from 'vitest';
import type { FileEntry } from '../../core/http/static-files.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import { defaultPageSettings, findUnsupportedEndpoints } from './create-page-settings.ts';
import { describeIgnoredRules, formatHeadersFile } from './headers-file.ts';

const entry = (path: string, kind: FileEntry['kind']): FileEntry => ({
  path,
  file: path.slice(1),
  kind,
  encodings: [],
  digest: '',
});

test('the file for static hosts names each header once for every path', () => {
  const text = formatHeadersFile(
    [
      entry('/', 'page'),
      entry('/404.html', 'not-found'),
      entry('/icon.svg', 'shared'),
      entry('/pages.speculationrules', 'plain'),
      entry('/static/js/a-1.js', 'hashed'),
    ],
    { connectOrigins: ['https://sheets.example'] },
  );
  const [all, ...others] = text.split('\n\n');
  expect(all).toMatch(/^\/\*\n {2}Content-Security-Policy: default-src 'none'; /);
  expect(all).toContain("connect-src 'self' https://sheets.example;");
  expect(all).not.toContain('Cache-Control');
  const resource = (origin: string) => `Cross-Origin-Resource-Policy: ${origin}`;
  const ahead = 'Speculation-Rules: "/pages.speculationrules"';
  expect(others.map(rule => rule.trim())).toEqual([
    `/static/*\n  ${resource('same-origin')}\n  Cache-Control: public, max-age=31536000, immutable`,
    `/\n  ${ahead}\n  ${resource('same-origin')}\n  Cache-Control: no-cache`,
    `/404.html\n  ${ahead}\n  ${resource('same-origin')}\n  Cache-Control: no-cache`,
    `/icon.svg\n  ${resource('cross-origin')}\n  Cache-Control: public, max-age=3600`,
    `/pages.speculationrules\n  ${resource('same-origin')}\n  Cache-Control: public, max-age=3600\n  Content-Type: application/speculationrules+json`,
  ]);
});

test('any number of posts, lists and pictures shares a few rules, and a feed among posts has one value of each', () => {
  const many = ['1', '2', '3'].flatMap(number => [
    entry(`/blog/post-${number}`, 'page'),
    entry(`/blog/images/a-${number}.webp`, 'picture'),
    entry(`/share/blog/post-${number}.jpg`, 'shared'),
    entry(`/blog/page/${number}`, 'page'),
    entry(`/blog/topics/testing/page/${number}`, 'page'),
  ]);
  const feed = entry('/blog/rss.xml', 'feed');
  const text = formatHeadersFile([entry('/', 'page'), entry('/blog', 'page'), feed, ...many], {});
  const rules = Object.fromEntries(
    text.split('\n\n').map(rule => {
      const [path = '', ...lines] = rule.trim().split('\n');
      return [path, lines.map(line => line.trim().split(':')[0])];
    }),
  );
  expect(Object.keys(rules)).toEqual([
    ...['/*', '/share/*', '/blog/images/*', '/blog/topics/*', '/blog/page/*', '/blog/:post'],
    ...['/', '/blog', '/blog/rss.xml'],
  ]);
  expect(rules['/blog/rss.xml']).toEqual(['Access-Control-Allow-Origin', 'Content-Type']);
  expect(describeIgnoredRules(text)).toBeUndefined();
  expect(formatHeadersFile([entry('/', 'page'), feed], {})).toMatch(
    /\/blog\/rss\.xml\n(.*\n)*.*Cross-Origin-Resource-Policy: cross-origin/,
  );
});

test('an endpoint that pages cannot post to is refused', () => {
  const find = (endpoints: Partial<PageSettings>) =>
    findUnsupportedEndpoints({ ...defaultPageSettings, ...endpoints });
  expect(find({})).toEqual([]);
  expect(find({ CONTACT_ENDPOINT: 'https://sheets.example/' })).toEqual([]);
  const script = 'https://script.google.com/macros/s/abc/exec';
  expect(find({ CONTACT_ENDPOINT: script, NEWSLETTER_ENDPOINT: script })).toEqual([
    expect.stringMatching(/^CONTACT_ENDPOINT is a Google Apps Script/),
    expect.stringMatching(/^NEWSLETTER_ENDPOINT is a Google Apps Script/),
  ]);
});
