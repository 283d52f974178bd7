import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { FileEntry } from '../src/server/static-files.ts';
import { ensureBuild } from './harness/public-site.ts';
import { builtSite, root, startSite } from './harness/site.ts';

/** A build for a host without a server, and without a service for the newsletter. */
const contactEndpoint = 'https://sheets.example/api/1';
const outDir = join(root, '.cache/test-dist-static');
beforeAll(() => ensureBuild(outDir, { siteUrl: undefined, contactEndpoint }), 60_000);

const read = (file: string) => readFileSync(join(outDir, 'site', file), 'utf8');
const entriesOf = (built: string): FileEntry[] => JSON.parse(readFileSync(join(built, 'files.json'), 'utf8'));

test('names the service that keeps messages, and signs up for the newsletter by email', () => {
  expect(read('security.html')).toContain('stored by sheets.example');
  for (const file of ['index.html', 'privacy.html']) {
    expect(read(file)).not.toMatch(/<form/);
    expect(read(file)).toMatch(/href="mailto:[^"?]+\?subject=Newsletter"/);
  }
  expect(read('privacy.html')).toContain('your own mail program sends us an email');
});

test('has no page, script or form that needs a server', () => {
  const entries = entriesOf(outDir);
  expect(entries.filter(({ file }) => /newsletter|audit/.test(file))).toEqual([]);
  const scripts = entries.filter(({ file }) => file.endsWith('.js')).map(({ file }) => read(file));
  expect(scripts.filter(text => text.includes('/api/newsletter'))).toEqual([]);
  const forms = ['contact.html', 'creator.html'].flatMap(file => read(file).match(/<form[^>]*>/g) ?? []);
  expect(forms).toHaveLength(2);
  for (const form of forms) expect(form).toMatch(/^(?=.* method="dialog")(?!.* action=)/);
});

test('has a file of headers for static hosts, and the same CSP from our own server', async () => {
  const connect = "connect-src 'self' https://sheets.example;";
  expect(read('_headers')).toContain(connect);
  await using site = await startSite({ CONTACT_ENDPOINT: contactEndpoint }, {}, outDir);
  const { headers } = await fetch(`${site.origin}/contact`);
  expect(headers.get('content-security-policy')).toContain(connect);
  expect((await fetch(`${site.origin}/_headers`)).status).toBe(404);
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
