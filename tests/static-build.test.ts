import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { FileEntry } from '../src/server/static-files.ts';
import { buildStaticSite, staticEndpoints } from './harness/builds.ts';
import { builtSite, startSite } from './harness/site.ts';

let outDir = '';
beforeAll(async () => {
  outDir = await buildStaticSite();
}, 60_000);

const read = (file: string) => readFileSync(join(outDir, 'site', file), 'utf8');
const entriesOf = (built: string): FileEntry[] => JSON.parse(readFileSync(join(built, 'files.json'), 'utf8'));

test('names the services that keep messages and addresses', () => {
  expect(read('security.html')).toContain('stored by sheets.example');
  expect(read('privacy.html')).toContain('letters.example');
});

test('without SITE_URL there are no canonical URLs, sitemap or feeds', () => {
  expect(entriesOf(outDir).filter(({ path }) => /\.xml$/.test(path))).toEqual([]);
  for (const { file } of entriesOf(outDir).filter(({ file }) => file.endsWith('.html')))
    expect(read(file), file).not.toMatch(/canonical|og:url|(rss|atom)\.xml/);
});

test('has no page, script or form that needs a server', () => {
  const entries = entriesOf(outDir);
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
  const pages = entriesOf(outDir).filter(({ file }) => file.endsWith('.html'));
  for (const { file } of pages) {
    const styles = [...read(file).matchAll(/<style[^>]*>(.*?)<\/style>/gs)];
    expect(styles, file).not.toEqual([]);
    for (const [, style = ''] of styles)
      expect(policy, file).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  }
});

test('a build with a server has none of this', () => {
  const texts = entriesOf(builtSite)
    .filter(({ file }) => /\.(js|html)$/.test(file))
    .map(({ file }) => readFileSync(join(builtSite, 'site', file), 'utf8'));
  expect(texts.filter(text => /method="dialog"|<noscript|credentials:.omit|stored by /.test(text))).toEqual(
    [],
  );
  expect(existsSync(join(builtSite, 'site/_headers'))).toBe(false);
});
