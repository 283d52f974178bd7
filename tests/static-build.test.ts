import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { FileEntry } from '../src/server/static-files.ts';
import { buildStaticSite, staticEndpoints } from './harness/builds.ts';
import { startSite } from './harness/site.ts';

let outDir = '';
beforeAll(async () => {
  outDir = await buildStaticSite();
}, 60_000);

const read = (file: string) => readFileSync(join(outDir, 'site', file), 'utf8');
const listFiles = (): FileEntry[] => JSON.parse(read('../files.json'));
const listPages = () => listFiles().filter(({ file }) => file.endsWith('.html'));

test('without SITE_URL there are no canonical URLs, sitemap or feeds', () => {
  expect(listFiles().filter(({ path }) => /\.xml$/.test(path))).toEqual([]);
  for (const { file } of listPages())
    expect(read(file), file).not.toMatch(/canonical|og:url|(rss|atom)\.xml/);
});

test('has no page, script or form that needs a server', () => {
  const entries = listFiles();
  expect(entries.filter(({ file }) => /newsletter|audit/.test(file))).toEqual([]);
  const scripts = entries.filter(({ file }) => file.endsWith('.js')).map(({ file }) => read(file));
  expect(scripts.filter(text => text.includes('/api/newsletter'))).toEqual([]);
  const forms = ['contact.html', 'creator.html'].flatMap(file => read(file).match(/<form[^>]*>/g) ?? []);
  // Contact and newsletter on both.
  expect(forms).toHaveLength(4);
  for (const form of forms) expect(form).toMatch(/^(?=.* method="dialog")(?!.* action=)/);
});

test('has a file of headers for static hosts, and the same CSP from our own server', async () => {
  const connect = "connect-src 'self' https://sheets.example https://letters.example;";
  expect(read('_headers')).toContain(connect);
  await using site = await startSite(
    {
      CONTACT_ENDPOINT: staticEndpoints.contactEndpoint,
      NEWSLETTER_ENDPOINT: staticEndpoints.newsletterEndpoint,
    },
    {},
    outDir,
  );
  const { headers } = await fetch(`${site.origin}/contact`);
  expect(headers.get('content-security-policy')).toContain(connect);
  expect((await fetch(`${site.origin}/_headers`)).status).toBe(404);
});

test('the CSP that all pages share allows the styles of each', () => {
  const [policy = ''] = /content-security-policy: .*/i.exec(read('_headers')) ?? [];
  for (const { file } of listPages()) {
    const styles = [...read(file).matchAll(/<style[^>]*>(.*?)<\/style>/gs)];
    expect(styles, file).not.toEqual([]);
    for (const [, style = ''] of styles)
      expect(policy, file).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  }
});
