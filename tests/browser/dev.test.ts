import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type Axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { type Copy, copyProject } from '../harness/process.ts';
import { root } from '../harness/site.ts';

let copy: Copy;
let browser: Browser;
let address: string;
beforeAll(async () => {
  copy = copyProject();
  browser = await launchBrowser();
  edit('content/company.yaml', 'phone: "', 'phone: "call ');
  address = await copy.start({ SITE_URL: 'https://www.example.com' }, { script: 'src/cli/dev.ts' }).address();
});
afterAll(async () => {
  await browser.close();
  await copy[Symbol.asyncDispose]();
});

function edit(file: string, from: string, to: string): void {
  const path = join(copy.folder, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

test('a server that starts with an error shows it, and the page once it is fixed', async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(15_000);
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
  const fresh = await browser.newPage();
  const connected = fresh.waitForEvent('console', message => message.text().includes('[vite] connected'));
  await fresh.goto(`${address}/terms`);
  await fresh.getByText(/src\/site\/pages\/terms.tsx/).waitFor();
  await connected;
  edit('src/site/pages/terms.tsx', 'export funktion', 'export function');
  await fresh.locator('main h1').waitFor();
  await Promise.all([page.close(), fresh.close()]);
});

test('npm run dev serves pages and API from the current sources and content', async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(15_000);
  const trouble: string[] = [];
  let connections = 0;
  page.on('console', message => {
    if (message.text().includes('[vite] connected')) connections++;
    if (message.type() === 'error' || message.type() === 'warning')
      trouble.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(`${address}/faq`);
  await page.mouse.move(10, 10);
  await page.mouse.move(11, 11);
  await page.locator('html[data-script=react]').waitFor();

  // A page is notified of changes once its socket is connected, a moment after it is shown.
  const connected = (times: number) => expect.poll(() => connections, { timeout: 5000 }).toBe(times);
  await connected(1);
  edit('content/faq.yaml', 'heading: ', 'heading: Changed ');
  await page.getByRole('heading', { level: 1, name: /^Changed/ }).waitFor();

  expect(await title()).toBe('Not found');
  edit('src/api/responses.ts', 'Not found', 'Changed');
  await expect.poll(title).toBe('Changed');

  edit('src/api/responses.ts', 'export function problem', 'export funktion problem');
  // The last valid sources are served, or status 500; the server keeps running.
  await new Promise(done => setTimeout(done, 500));
  expect([404, 500]).toContain((await fetch(`${address}/api/nothing`)).status);
  edit('src/api/responses.ts', 'export funktion problem', 'export function problem');
  await expect.poll(title).toBe('Changed');
  expect(trouble).toEqual([]);
});

test('an error is shown over the open page until it is fixed', async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(15_000);
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
    edit('content/static.yaml', 'withoutScript:', 'withoutSkript:');
    edit('content/letters/newsletter-confirm.md', '{link}', '{lnk} <b>');
  };
  const fix = () => {
    edit('content/faq.yaml', 'openEverything: ', 'openAll: ');
    edit('content/static.yaml', 'withoutSkript:', 'withoutScript:');
    edit('content/letters/newsletter-confirm.md', '{lnk} <b>', '{link}');
  };

  saveErrors();
  // A page gets the errors once its socket is connected.
  await alert.getByText(/^content\/faq.yaml line \d+: openEverything is not a field of this file$/).waitFor();
  await alert
    .getByText(/^content\/static.yaml line \d+: withoutSkript is not a field of this file$/)
    .waitFor();
  await alert
    .getByText(
      /^content\/letters\/newsletter-confirm.md line \d+: body uses the unknown placeholder \{lnk\}$/,
    )
    .waitFor();
  expect(await page.locator('vite-error-overlay').count()).toBe(0);
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
  const found = await page.evaluate(
    async () => (await (globalThis as unknown as { axe: typeof Axe }).axe.run('content-errors')).violations,
  );
  expect(found.map(({ id }) => id)).toEqual([]);
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

test('the canonical URL follows a client-side navigation', async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(15_000);
  const named = () =>
    page.evaluate(() => [
      ...Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel=canonical]'), link => link.href),
      ...Array.from(
        document.querySelectorAll<HTMLMetaElement>('meta[property="og:url"]'),
        meta => meta.content,
      ),
    ]);
  const requests: string[] = [];
  page.on('request', request => requests.push(request.resourceType()));
  await page.goto(`${address}/privacy`);
  expect(await named()).toEqual(Array(2).fill('https://www.example.com/privacy'));
  await page.mouse.move(10, 10);
  await page.mouse.move(11, 11);
  await page.locator('html[data-script=react]').waitFor();
  await page.getByRole('link', { name: 'services', exact: true }).first().click();
  await expect.poll(named).toEqual(Array(2).fill('https://www.example.com/creator'));
  expect(requests.filter(type => type === 'document')).toHaveLength(1);
});

test('the newsletter pages are served with noindex, and their button works', async () => {
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
  const facts = `title: Not done\nsummary: ${summary}\ntopics: [TOPIC]\ndate: 2099-01-02\ndraft: true`;
  const [, topic = ''] =
    /- slug: (\S+)/.exec(readFileSync(join(copy.folder, 'content/blog.yaml'), 'utf8')) ?? [];
  copyFileSync(join(root, 'docs/home.png'), join(copy.folder, 'content/blog/home.png'));
  const write = (body: string) =>
    writeFileSync(
      file,
      `---\n${facts.replace('TOPIC', topic)}\n---\n\n![The home page](home.png)\n\n${body}\n`,
    );
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
