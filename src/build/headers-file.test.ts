import { expect, test } from 'vitest';
import type { FileEntry } from '../server/files.ts';
import { findUnfitEndpoints } from './endpoints.ts';
import { writeHeadersFile } from './headers-file.ts';

const entry = (path: string, kind: FileEntry['kind']): FileEntry => ({
  path,
  file: path.slice(1),
  kind,
  encodings: [],
  digest: '',
});

test('the file for static hosts names each header once for every path', () => {
  const text = writeHeadersFile(
    [
      entry('/', 'page'),
      entry('/contact', 'page'),
      entry('/404.html', 'not-found'),
      entry('/icon.svg', 'shared'),
      entry('/pages.speculationrules', 'plain'),
      entry('/static/js/a-1.js', 'hashed'),
      entry('/static/css/b-2.css', 'hashed'),
    ],
    { connectOrigins: ['https://sheets.example'] },
  );
  const [all, ...others] = text.split('\n\n');
  expect(all).toMatch(/^\/\*\n {2}Content-Security-Policy: default-src 'none'; /);
  expect(all).toContain("connect-src 'self' https://sheets.example;");
  expect(all).toContain('\n  X-Content-Type-Options: nosniff\n');
  expect(all).not.toContain('Cache-Control');
  const resource = (origin: string) => `Cross-Origin-Resource-Policy: ${origin}`;
  const ahead = 'Speculation-Rules: "/pages.speculationrules"';
  expect(others.map(rule => rule.trim())).toEqual([
    `/\n  ${ahead}\n  ${resource('same-origin')}\n  Cache-Control: no-cache`,
    `/contact\n  ${ahead}\n  ${resource('same-origin')}\n  Cache-Control: no-cache`,
    `/404.html\n  ${ahead}\n  ${resource('same-origin')}\n  Cache-Control: no-cache`,
    `/icon.svg\n  ${resource('cross-origin')}\n  Cache-Control: public, max-age=3600`,
    `/pages.speculationrules\n  ${resource('same-origin')}\n  Cache-Control: public, max-age=3600\n  Content-Type: application/speculationrules+json`,
    `/static/*\n  ${resource('same-origin')}\n  Cache-Control: public, max-age=31536000, immutable`,
  ]);
});

test('an endpoint that no page could ever post to is refused', () => {
  const siteUrl = undefined;
  expect(findUnfitEndpoints({ siteUrl })).toEqual([]);
  expect(findUnfitEndpoints({ siteUrl, contactEndpoint: 'https://sheets.example/' })).toEqual([]);
  const script = 'https://script.google.com/macros/s/abc/exec';
  expect(findUnfitEndpoints({ siteUrl, contactEndpoint: script, newsletterEndpoint: script })).toEqual([
    expect.stringMatching(/^CONTACT_ENDPOINT is a Google Apps Script/),
    expect.stringMatching(/^NEWSLETTER_ENDPOINT is a Google Apps Script/),
  ]);
});
