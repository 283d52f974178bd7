import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findStaleReason, readFingerprint } from '../src/build/fingerprint.ts';
import type { FileEntry } from '../src/server/static-files.ts';
import { copyProject } from './harness/process.ts';
import { readSecurityTxt } from './harness/security-txt.ts';
import { builtSite, root } from './harness/site.ts';
import { readRules, type StaticSite, startStaticSite } from './harness/static-site.ts';

/** A build for a host without a server, and without a service for the newsletter. */
let site: StaticSite;
beforeAll(async () => {
  site = await startStaticSite({ hasNewsletter: false });
}, 60_000);
afterAll(() => site[Symbol.asyncDispose]());

const read = (file: string) => readFileSync(join(site.outDir, 'site', file), 'utf8');

test('has headers for static hosts, which our own server does not serve as a file', () => {
  const [all] = readRules(read('_headers'));
  expect(Object.fromEntries(all?.headers ?? [])['Content-Security-Policy']).toContain(
    `connect-src 'self' ${site.sheet.origin};`,
  );
  const entries: FileEntry[] = JSON.parse(readFileSync(join(site.outDir, 'files.json'), 'utf8'));
  expect(entries.map(({ path }) => path)).not.toContain('/_headers');
  expect(existsSync(join(builtSite, 'site/_headers'))).toBe(false);
});

test('names the security contact', async () => {
  const answer = await fetch(`${site.origin}/.well-known/security.txt`);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(readSecurityTxt(await answer.text()).Contact).toHaveLength(1);
  expect(read('security.html')).toContain(`kept by ${new URL(site.sheet.origin).host}`);
  expect(readFileSync(join(builtSite, 'site/security.html'), 'utf8')).not.toContain('kept by');
});

test('signs up for the newsletter by email', () => {
  for (const file of ['index.html', 'privacy.html']) {
    expect(read(file)).not.toMatch(/<form/);
    expect(read(file)).toMatch(/href="mailto:[^"?]+\?subject=Newsletter"/);
  }
  expect(read('privacy.html')).toContain('your own mail program writes to us');
});

test('has no pages for newsletter confirmation or unsubscribing', () => {
  const entries: FileEntry[] = JSON.parse(readFileSync(join(site.outDir, 'files.json'), 'utf8'));
  expect(entries.filter(({ file }) => /newsletter/.test(file))).toEqual([]);
  const scripts = entries.filter(({ file }) => file.endsWith('.js')).map(({ file }) => read(file));
  expect(scripts.filter(text => text.includes('/api/newsletter'))).toEqual([]);
});

test('has no form that posts anywhere by itself', () => {
  const forms = ['contact.html', 'creator.html'].flatMap(file => read(file).match(/<form[^>]*>/g) ?? []);
  expect(forms).toHaveLength(2);
  for (const form of forms) expect(form).toMatch(/method="dialog"/);
  for (const form of forms) expect(form).not.toMatch(/action=/);
});

test('is stale with other settings', () => {
  const { contactEndpoint } = site.config;
  expect(readFingerprint(site.outDir)).toMatchObject({
    CONTACT_ENDPOINT: contactEndpoint,
    NEWSLETTER_ENDPOINT: '',
  });
  expect(findStaleReason(root, site.outDir, { siteUrl: undefined })).toContain(
    `CONTACT_ENDPOINT ${contactEndpoint}`,
  );
});

test('is served with the same CSP by our own server, which builds it on request', {
  timeout: 60_000,
}, async () => {
  await using copy = copyProject();
  const started = copy.start({ CONTACT_ENDPOINT: 'https://sheets.example/api/1' });
  const address = await started.address();
  const { headers } = await fetch(`${address}/contact`);
  expect(headers.get('content-security-policy')).toContain("connect-src 'self' https://sheets.example;");
  expect((await fetch(`${address}/_headers`)).status).toBe(404);
});

test('a build with a server has none of this', () => {
  const entries: FileEntry[] = JSON.parse(readFileSync(join(builtSite, 'files.json'), 'utf8'));
  const texts = entries
    .filter(({ file }) => /\.(js|html)$/.test(file))
    .map(({ file }) => readFileSync(join(builtSite, 'site', file), 'utf8'));
  expect(texts.filter(text => /method="dialog"|<noscript|credentials:.omit/.test(text))).toEqual([]);
});
