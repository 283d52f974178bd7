import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAxeViolations } from '../harness/axe.ts';
import { shareBrowser } from '../harness/browser.ts';
import { hydrate } from '../harness/page.ts';
import { type Copy, copyProject } from '../harness/process.ts';
import { root } from '../harness/site.ts';

let copy: Copy;
let context: BrowserContext;
let address: string;
beforeAll(async () => {
  copy = copyProject();
  context = await (await shareBrowser()).newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(15_000);
  edit('content/company.yaml', 'phone: "', 'phone: "call ');
  address = await copy.start({ SITE_URL: 'https://www.example.com' }, { script: 'src/cli/dev.ts' }).address();
});
afterAll(async () => {
  await context.close();
  await copy[Symbol.asyncDispose]();
});

function edit(file: string, from: string, to: string): void {
  const path = join(copy.folder, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
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

  edit('src/site/pages/terms.tsx', 'export function', 'export funktion');
  await expect.poll(async () => (await fetch(`${address}/terms`)).status).toBe(500);
  const fresh = await context.newPage();
  const connected = fresh.waitForEvent('console', message => message.text().includes('[vite] connected'));
  await fresh.goto(`${address}/terms`);
  await fresh.getByText(/src\/site\/pages\/terms.tsx/).waitFor();
  await connected;
  edit('src/site/pages/terms.tsx', 'export funktion', 'export function');
  await fresh.locator('main h1').waitFor();
  await Promise.all([page.close(), fresh.close()]);
});

test('npm run dev serves pages and API from the current sources and content', async () => {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning')
      errors.push(`${message.text()} ${message.location().url}`);
  });
  // A page is notified of changes once its socket is connected, a moment after it is shown.
  const connected = page.waitForEvent('console', message => message.text().includes('[vite] connected'));
  await page.goto(`${address}/faq`);
  await hydrate(page);
  await connected;
  edit('content/faq.yaml', 'heading: ', 'heading: Changed ');
  await page.getByRole('heading', { level: 1, name: /^Changed/ }).waitFor();

  expect(await title()).toBe('Not found');
  edit('src/api/responses.ts', 'Not found', 'Changed');
  await expect.poll(title).toBe('Changed');
  expect(errors).toEqual([]);
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
  const saveErrors = () => {
    edit('content/faq.yaml', 'openAll: ', 'openEverything: ');
    edit('content/emails/confirmation.md', '{link}', '{lnk} <b>');
  };
  const fix = () => {
    edit('content/faq.yaml', 'openEverything: ', 'openAll: ');
    edit('content/emails/confirmation.md', '{lnk} <b>', '{link}');
  };

  saveErrors();
  // A page gets the errors once its socket is connected.
  await alert.getByText(/^content\/faq.yaml line \d+: openEverything is not a field of this file$/).waitFor();
  await alert
    .getByText(/^content\/emails\/confirmation.md line \d+: body uses the unknown placeholder \{lnk\}$/)
    .waitFor();
  expect(await page.locator('vite-error-overlay').count()).toBe(0);
  expect(await findAxeViolations(page, 'content-errors')).toEqual([]);
  fix();
  await alert.waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Half a thought');
  expect(await page.evaluate(() => scrollY)).toBe(400);
  expect(documents).toBe(1);

  saveErrors();
  await alert.waitFor();
  await page.reload();
  await alert.getByText(/openEverything is not a field/).waitFor();
  await page.getByRole('button', { name: 'Hide' }).click();
  expect(await alert.count()).toBe(0);
  await page.getByRole('heading', { level: 1 }).waitFor();
  fix();
});

test('the newsletter steps are served, and their button works', async () => {
  const confirm = `${address}/newsletter/confirm?token=nothing`;
  const shown = await fetch(confirm);
  expect(shown.status).toBe(200);
  expect(await shown.text()).not.toMatch(/canonical|og:url/);
  const answered = await fetch(confirm, { method: 'POST', redirect: 'manual' });
  expect(new URL(answered.headers.get('location') ?? '', address).pathname).toBe('/newsletter/expired');
});

test('a draft is served with its image, and its errors are shown', async () => {
  const file = join(copy.folder, 'content/blog/2099-01-02-a-draft.md');
  const summary = 'A summary that is long enough for search engines to show it below the title of a post.';
  const [, topic] = /- slug: (\S+)/.exec(readFileSync(join(copy.folder, 'content/blog.yaml'), 'utf8')) ?? [];
  const facts = `title: Not done\nsummary: ${summary}\ntopics: [${topic}]\ndate: 2099-01-02\ndraft: true`;
  copyFileSync(join(root, 'docs/home.png'), join(copy.folder, 'content/blog/home.png'));
  const write = (body: string) =>
    writeFileSync(file, `---\n${facts}\n---\n\n![The home page](home.png)\n\n${body}\n`);
  const read = async () => (await fetch(`${address}/blog/a-draft`)).text();
  write('First words.');
  await expect.poll(read).toContain('First words.');
  const [, image = ''] = /<img[^>]* src="(\/blog\/images\/[^"]+)"/.exec(await read()) ?? [];
  expect((await fetch(address + image)).headers.get('content-type')).toBe('image/webp');
  expect(await (await fetch(`${address}/blog`)).text()).toContain('/blog/a-draft');
  write('Other words.\n\n# Too large');
  await expect.poll(read).toContain('content/blog/2099-01-02-a-draft.md line 13');
  expect(await read()).toContain('First words.');
  expect((await fetch(`${address}/blog/no-draft`)).status).toBe(404);
  write('Other words.');
  await expect.poll(read).toContain('Other words.');
  expect(await read()).not.toContain('content-errors');
});

async function title(): Promise<string> {
  const problem = (await (await fetch(`${address}/api/nothing`)).json()) as { title: string };
  return problem.title;
}
