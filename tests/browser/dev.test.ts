import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { type Copy, copyProject } from '../harness/process.ts';

let copy: Copy;
let browser: Browser;
let address: string;
beforeAll(async () => {
  copy = copyProject();
  browser = await launchBrowser();
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

test('npm run dev shows pages and API as their sources and words are now', async () => {
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

  // A page hears of a change once it is connected, a moment after it is shown.
  const connected = (times: number) => expect.poll(() => connections, { timeout: 5000 }).toBe(times);
  await connected(1);
  edit('content/faq.yaml', 'heading: ', 'heading: Changed ');
  await page.getByRole('heading', { level: 1, name: /^Changed/ }).waitFor();

  await connected(2);
  edit('content/faq.yaml', 'openAll: ', 'openEverything: ');
  await page.getByText(/content\/faq.yaml line \d+: openEverything is not a field/).waitFor();
  await connected(3);
  edit('content/faq.yaml', 'openEverything: ', 'openAll: ');
  await page.getByRole('heading', { level: 1, name: /^Changed/ }).waitFor();

  expect(await title()).toBe('There is nothing at this address');
  edit('src/api/problem.ts', 'There is nothing at this address', 'Changed');
  await expect.poll(title).toBe('Changed');

  edit('src/api/problem.ts', 'export function problem', 'export funktion problem');
  // The last sources that made sense go on serving, or the answer is 500; the server itself stands.
  await new Promise(done => setTimeout(done, 500));
  expect([404, 500]).toContain((await fetch(`${address}/api/nothing`)).status);
  edit('src/api/problem.ts', 'export funktion problem', 'export function problem');
  await expect.poll(title).toBe('Changed');
  // While the words were wrong the page answered with 500, and nothing else is said on the console.
  expect(trouble.filter(text => !/status of 500/.test(text))).toEqual([]);
});

test('the address that a page names for itself follows a navigation without a document', async () => {
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

test('the pages of the newsletter are there, name no address for search engines, and their button is answered', async () => {
  const confirm = `${address}/newsletter/confirm?token=nothing`;
  const shown = await fetch(confirm);
  expect(shown.status).toBe(200);
  expect(await shown.text()).not.toMatch(/canonical|og:url/);
  const answered = await fetch(confirm, { method: 'POST', redirect: 'manual' });
  expect(new URL(answered.headers.get('location') ?? '', address).pathname).toBe('/newsletter/expired');
});

async function title(): Promise<string> {
  const problem = (await (await fetch(`${address}/api/nothing`)).json()) as { title: string };
  return problem.title;
}
