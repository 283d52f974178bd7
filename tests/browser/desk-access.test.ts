import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shareBrowser } from '../harness/browser.ts';
import { startDesk, type TestDesk } from '../harness/desk.ts';

/** Another program on this machine, to which a page sends the browser. */
async function listenBeside(): Promise<{ port: number; cookies: string[] } & AsyncDisposable> {
  const cookies: string[] = [];
  const server = createServer(({ url, headers }, response) => {
    // A program that asks for the page again sees what a browser sends by itself.
    if (!url?.includes('favicon')) cookies.push(headers.cookie ?? '');
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Beside</title><img src="/picture" alt="">');
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, cookies },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

/** As a person does: by the printed link, at the name that it has. */
async function openLink(page: Page, { createLink, origin, prefix }: TestDesk): Promise<string> {
  const local = origin.replace('127.0.0.1', 'localhost');
  const link = `${local}${createLink()}`;
  await page.goto(link);
  await page.waitForURL(`${local}${prefix}/`);
  return link;
}

test('no cookie of the desk reaches another port of this machine', async () => {
  await using desk = await startDesk();
  await using beside = await listenBeside();
  const context = await (await shareBrowser()).newContext();
  const page = await context.newPage();
  await openLink(page, desk);
  expect(await context.cookies()).toMatchObject([{ path: `${desk.prefix}/`, domain: 'localhost' }]);
  const other = `http://localhost:${beside.port}`;
  await page.evaluate(address => {
    location.href = address;
  }, other);
  await page.waitForURL(`${other}/`);
  for (const path of ['/messages', '/sign-in', '/session', '//']) await page.goto(other + path);
  expect(beside.cookies.length).toBeGreaterThan(8);
  expect(beside.cookies.filter(Boolean)).toEqual([]);
  // Nor is the prefix kept where a page of that port could read it.
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.referrer])).toEqual([
    ...[0, 0, ''],
  ]);
  await context.close();
});

test('a used link leads a browser that is signed in to its desk, and refuses any other', async () => {
  await using desk = await startDesk();
  const browser = await shareBrowser();
  const [context, stranger] = [await browser.newContext(), await browser.newContext()];
  const link = await openLink(await context.newPage(), desk);
  const again = await context.newPage();
  await again.goto(link);
  await again.getByRole('link', { name: 'Messages' }).click();
  await again.getByRole('heading', { name: 'Messages' }).waitFor();
  const refused = await stranger.newPage();
  await refused.goto(link);
  await refused.getByText('only the newest one works').waitFor();
  expect(await refused.getByRole('navigation').count()).toBe(0);
  expect(await refused.content()).not.toContain(desk.prefix.slice(1));
  await Promise.all([context.close(), stranger.close()]);
});

test('after a restart, a form that is filled in goes to the new desk once its link was opened in another tab', async () => {
  const context = await (await shareBrowser()).newContext();
  const [page, second] = [await context.newPage(), await context.newPage()];
  let port = 0;
  {
    await using desk = await startDesk();
    port = Number(new URL(desk.origin).port);
    await openLink(page, desk);
    await page.goto(`http://localhost:${port}${desk.prefix}/newsletter/new`);
    await page.getByLabel('Subject').fill('Three things');
    await page.getByLabel('Text').fill('What is new.');
  }
  await using desk = await startDesk({}, {}, { port });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Open the new link in another tab').waitFor();
  await openLink(second, desk);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(new URL(page.url()).pathname).toMatch(`${desk.prefix}/newsletter/drafts/`);
  expect(await page.getByLabel('Subject').inputValue()).toBe('Three things');
  await context.close();
}, 60_000);
