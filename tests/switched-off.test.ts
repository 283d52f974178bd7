import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditApiPath, auditPaths } from '../src/features/audit/contract.ts';
import { blogPath } from '../src/features/blog/contract.ts';
import { contactPath } from '../src/features/messages/contract.ts';
import { newsletterPaths, signUpPath } from '../src/features/newsletter/contract.ts';
import { samplePath } from '../src/features/sample-report/contract.ts';
import { type Copy, copyProject } from './harness/process.ts';

const siteUrl = 'https://www.example.com';

/** A site whose owner has switched all optional features off. */
let copy: Copy;
let address: string;
let published: string;
beforeAll(async () => {
  copy = copyProject();
  const file = join(copy.folder, 'content/site.yaml');
  const off = ['newsletter', 'blog', 'audit', 'sample-report'].map(name => `  ${name}: false\n`);
  writeFileSync(file, `features:\n${off.join('')}\n${readFileSync(file, 'utf8')}`);
  // Without an earlier build, whose scripts would be kept for pages that are open.
  rmSync(join(copy.folder, 'dist'), { recursive: true });
  const env = { SITE_URL: siteUrl };
  const publish = copy.start(env, { script: 'src/apps/cli/publish-site.ts' });
  expect([await publish.ended, publish.output()]).toEqual([0, expect.any(String)]);
  published = publish.output();
  address = await copy.start(env).address();
}, 90_000);
afterAll(() => copy?.[Symbol.asyncDispose]());

const offPaths = [auditPaths.page, auditApiPath, blogPath, samplePath, signUpPath];

test('nothing that is published mentions what is off, or where it was', () => {
  const site = join(copy.folder, 'dist', readlinkSync(join(copy.folder, 'dist/current')), 'site');
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' });
  const texts = files.filter(file => /\.(html|js|xml|txt|json)$/.test(file));
  expect(texts).toContain('faq.html');
  const path = new RegExp(`(?<![\\w.-])(?:${offPaths.join('|')})(?![\\w-])`);
  const mentions = texts.flatMap(file => {
    const [found] = path.exec(readFileSync(join(site, file), 'utf8')) ?? [];
    return found && file !== 'third-party-notices.txt' ? [`${file}: ${found}`] : [];
  });
  expect(mentions).toEqual([]);
  expect(files.filter(file => /^(audit|blog|sample-report|share\/(audit|blog|sample))/.test(file))).toEqual(
    [],
  );
  // Links in mails that were sent go on working.
  expect(files).toContain(`${newsletterPaths.unsubscribe.slice(1)}.html`);
});

test('publishing names the links that the texts have lost', () => {
  expect(published).toMatch(/content\/faq\.yaml line \d+: leads to \/sample-report, which is switched off/);
});

test('what is off answers 404, and the rest goes on', async () => {
  const ask = (path: string, method = 'GET') =>
    fetch(new URL(path, address), { method, headers: { origin: siteUrl }, redirect: 'manual' });
  for (const path of [auditPaths.page, blogPath, samplePath])
    expect((await ask(path)).status, path).toBe(404);
  for (const path of [auditApiPath, signUpPath]) expect((await ask(path, 'POST')).status, path).toBe(404);
  for (const path of ['/', '/faq', newsletterPaths.unsubscribe])
    expect((await ask(path)).status, path).toBe(200);
  expect((await ask(contactPath, 'POST')).status).not.toBe(404);
});
