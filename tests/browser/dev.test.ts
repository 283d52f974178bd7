import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findAxeViolations } from '../harness/axe.ts';
import { shareBrowser } from '../harness/browser.ts';
import { hydrate } from '../harness/page.ts';
import { type Copy, copyProject, type StartedProcess } from '../harness/process.ts';
import { root } from '../harness/site.ts';

/** Less often than the default, because the server renders the page anew for each request, and for longer. */
const poll = (read: () => unknown) => expect.poll(read, { interval: 250, timeout: 20_000 });

let copy: Copy;
let context: BrowserContext;
let dev: StartedProcess;
let address: string;
beforeAll(async () => {
  copy = copyProject();
  context = await (await shareBrowser()).newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(15_000);
  edit('content/company.yaml', 'phone: "', 'phone: "call ');
  dev = copy.start({ SITE_URL: 'https://www.example.com' }, { script: 'src/apps/cli/dev.ts' });
  address = await dev.address();
});
// An open page is reloaded by every later change.
afterEach(() => Promise.all(context.pages().map(page => page.close())));
afterAll(async () => {
  await context.close();
  await copy[Symbol.asyncDispose]();
});

/** A page is notified of changes once its socket is connected, a moment after it is shown. */
async function openConnected(path: string): Promise<Page> {
  const page = await context.newPage();
  const connected = page.waitForEvent('console', message => message.text().includes('[vite] connected'));
  await page.goto(address + path);
  await connected;
  return page;
}

function edit(file: string, from: string | RegExp, to: string): void {
  const path = join(copy.folder, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(path, text.replace(from, to));
}

test('a server that starts with an error shows it, and the page once it is fixed', async () => {
  const page = await context.newPage();
  const answer = await page.goto(`${address}/terms`);
  expect(answer?.status()).toBe(500);
  await page
    .getByRole('alert')
    .getByText(/^content\/company.yaml line \d+: phone is 'call /)
    .waitFor();
  edit('content/company.yaml', 'phone: "call ', 'phone: "');
  await page.locator('main h1').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await poll(dev.output).toMatch(/^Fixed: content\/company.yaml\nNo errors$/m);
});

test('npm run dev serves pages, API and brand from the current sources and content', async () => {
  const page = await openConnected('/faq');
  const errors: string[] = [];
  page.on('console', message => /error|warning/.test(message.type()) && errors.push(message.text()));
  await hydrate(page);
  const accent = () =>
    page.locator('header').evaluate(header => getComputedStyle(header).getPropertyValue('--accent'));
  const answer = async () => (await fetch(`${address}/api/nothing`)).text();
  expect(await answer()).toContain('"Not found"');
  edit('content/brand/logo.svg', '<path ', '<circle r="4"/><path ');
  edit('content/brand/brand.yaml', 'accent: oklch(86.05% 0.1527 162.9)', 'accent: "#ffc14d"');
  edit('content/faq.yaml', 'heading: ', 'heading: Changed ');
  edit('src/core/http/responses.ts', 'Not found', 'Changed');
  await page.getByRole('heading', { level: 1, name: /^Changed/ }).waitFor();
  await expect.poll(accent).toBe('#ffc14d');
  await page.locator('header circle').waitFor();
  expect(await (await fetch(`${address}/icon.svg`)).text()).toMatch(/#ffc14d.*<circle r="4">/s);
  await poll(answer).toContain('"Changed"');
  expect(errors).toEqual([]);
});

test('only files of the site are served, not the database beside them', async () => {
  mkdirSync(join(copy.folder, 'data'), { recursive: true });
  writeFileSync(join(copy.folder, 'data/wardhouse.sqlite'), 'SQLite format 3');
  for (const path of ['/data/wardhouse.sqlite', `/@fs${copy.folder}/data/wardhouse.sqlite?raw`]) {
    const answer = await fetch(address + path);
    expect([answer.status, await answer.text()]).toEqual([
      expect.toBeOneOf([403, 404]),
      expect.not.stringContaining('SQLite format'),
    ]);
  }
});

test('an error is shown over the open page until it is fixed', async () => {
  const page = await context.newPage();
  let documents = 0;
  page.on('response', response => {
    if (response.request().resourceType() === 'document') documents++;
  });
  await page.goto(`${address}/contact`);
  await page.getByRole('textbox', { name: 'Message' }).fill('Half a thought');
  await page.evaluate(() => scrollTo(0, 400));
  const alert = page.getByRole('alert');
  edit('content/faq.yaml', 'openAll: ', 'openEverything: ');
  edit('content/emails/confirmation.md', '{link}', '{lnk} <b>');
  // A page gets the errors once its socket is connected.
  await alert.getByText(/^content\/faq.yaml line \d+: openEverything is not a field of this file$/).waitFor();
  await alert
    .getByText(/^content\/emails\/confirmation.md line \d+: body uses the unknown placeholder \{lnk\}$/)
    .waitFor();
  expect(await page.locator('vite-error-overlay').count()).toBe(0);
  expect(await findAxeViolations(page, { selector: 'content-errors' })).toEqual([]);
  edit('content/faq.yaml', 'openEverything: ', 'openAll: ');
  edit('content/emails/confirmation.md', '{lnk} <b>', '{link}');
  await alert.waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Half a thought');
  expect(await page.evaluate(() => scrollY)).toBe(400);
  expect(documents).toBe(1);
});

test('drafts and scheduled posts are served with their labels, also after an error', async () => {
  const summary = 'A summary that is long enough for search engines to show it below the title of a post.';
  const [, topic] = /- slug: (\S+)/.exec(readFileSync(join(copy.folder, 'content/blog.yaml'), 'utf8')) ?? [];
  copyFileSync(join(root, 'docs/home.png'), join(copy.folder, 'content/blog/home.png'));
  const write = (name: string, body: string, more = '') =>
    writeFileSync(
      join(copy.folder, `content/blog/2099-01-02-${name}.md`),
      `---\ntitle: ${name}\nsummary: ${name}, ${summary}\ntopics: [${topic}]\ndate: 2099-01-02\n${more}---\n\n![The home page](home.png)\n\n${body}\n`,
    );
  const read = async (name: string) => (await fetch(`${address}/blog/${name}`)).text();
  write('a-later-post', 'Later words.');
  write('a-draft', 'First words.', 'draft: true\n');
  await poll(() => read('a-draft')).toContain('First words.');
  expect(await read('a-draft')).toMatch(/>Draft<.*2 January 2099/);
  await poll(() => read('a-later-post')).toMatch(/Scheduled for.{1,60}>2 January 2099</);
  const [, image = ''] = /<img[^>]* src="(\/blog\/images\/[^"]+)"/.exec(await read('a-draft')) ?? [];
  expect((await fetch(address + image)).headers.get('content-type')).toBe('image/webp');
  expect(await (await fetch(`${address}/blog`)).text()).toContain('/blog/a-draft');
  write('a-draft', 'Other words.\n\n# Too large', 'draft: true\n');
  await poll(() => read('a-draft')).toContain('content/blog/2099-01-02-a-draft.md line 13');
  expect(await read('a-draft')).toContain('First words.');
  expect((await fetch(`${address}/blog/no-draft`)).status).toBe(404);
});

test('what publishing would refuse is reported as it would be, and pages are served', async () => {
  edit('content/privacy.md', '\n## ', '\n[Here](/nowhere)\n\n## ');
  await poll(dev.output).toMatch(/privacy.md line \d+: links to \/nowhere, which does not exist/);
  const faq = await fetch(`${address}/faq`);
  expect(faq.status).toBe(200);
  expect(await faq.text()).toMatch(/<content-errors>.*links to \/nowhere/s);
});
