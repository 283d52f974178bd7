import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSmtpServer, type FakeSmtpServer } from '../fakes/smtp-server.ts';
import { findAxeViolations } from '../harness/axe.ts';
import { shareBrowser } from '../harness/browser.ts';
import { startDesk, type TestDesk } from '../harness/desk.ts';
import { mailsTo, subscriberMailSettings } from '../harness/subscriber-mail.ts';
import { bringToState, verbDeps } from '../harness/subscribers.ts';

let smtp: FakeSmtpServer;
let desk: TestDesk;
const errors: string[] = [];
beforeAll(async () => {
  smtp = await createSmtpServer();
  desk = await startDesk(subscriberMailSettings(smtp));
  for (const name of ['zoe', 'max'])
    await bringToState(verbDeps(desk.services), `${name}@example.com`, 'confirmed');
});
afterAll(async () => {
  await desk[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
  expect(errors).toEqual([]);
});

async function openPage(options: Parameters<TestDesk['openPage']>[1] = {}): Promise<Page> {
  const page = await desk.openPage(await shareBrowser(), options);
  page.on('console', message => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', error => errors.push(error.message));
  return page;
}

test('an issue is written, looked at, tested, sent and followed, with the keyboard and on accessible pages', async () => {
  const page = await openPage();
  await page.goto('/newsletter/new');
  expect(await findAxeViolations(page, { hasContrast: false })).toEqual([]);
  await page.getByLabel('Subject').fill('Three things');
  await page.getByLabel('Text').fill('What [is new](/faq).');
  await page.getByLabel('Text').press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Saved.').waitFor();

  const heading = page.frameLocator('iframe[title="The mail, light"]').getByRole('heading', { level: 1 });
  expect(await heading.textContent()).toBe('Three things');
  const dark = page.frameLocator('iframe[title="The mail, dark"]').locator('body');
  await page.getByText('Dark', { exact: true }).click();
  const light = page.frameLocator('iframe[title="The mail, light"]').locator('body');
  const colours = [dark, light].map(body => body.evaluate(one => getComputedStyle(one).backgroundColor));
  expect(new Set(await Promise.all(colours)).size).toBe(2);
  expect(await findAxeViolations(page)).toEqual([]);

  await page.getByLabel('First words').fill('In short');
  await page.getByText('Save first').waitFor();
  expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('A test to this address').fill('me@example.com');
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test was sent').waitFor();
  expect(mailsTo(smtp, 'me@example.com')).toHaveLength(1);

  await page.getByRole('link', { name: 'Send to all…' }).click();
  await page.getByText('it is not running').waitFor();
  expect(await findAxeViolations(page, { hasContrast: false })).toEqual([]);
  await page.getByRole('button', { name: 'Send to 2 subscribers' }).click();
  await page.getByText('The issue is on its way').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('0 of 2 sent').waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  // The site starts meanwhile: the page follows by itself.
  smtp.script({ at: 'recipient', kind: 'answer', reply: '550 5.1.1 unknown' });
  await desk.services.worker.start();
  await page.getByText(/[12] of 2 sent/).waitFor();
  await page.goto('/newsletter');
  expect(await page.getByText('Three things').count()).toBe(1);
  expect(await findAxeViolations(page, { hasContrast: false })).toEqual([]);
});

test('subscribers are searched, stopped and imported without a script', async () => {
  // Of the others one is suppressed: the mail server refused it in the test above.
  await bringToState(verbDeps(desk.services), 'ann@example.com', 'confirmed');
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto('/newsletter/subscribers');
  await page.getByRole('searchbox').fill('ann');
  await page.getByRole('button', { name: 'Search' }).click();
  // The list before the search has the same links: a click there would be lost when the result arrives.
  await page.getByText('max@example.com').waitFor({ state: 'detached' });
  expect(page.url()).not.toContain('ann');
  await page.getByRole('link', { name: /ann@example\.com/ }).click();
  await page.getByText('Proof of consent').waitFor();
  await page.getByRole('button', { name: 'Stop mail to it' }).click();
  await page.getByText('Nothing more is sent').waitFor();
  await page.getByRole('button', { name: 'Allow mail again' }).click();
  await page.getByText('confirmed again').waitFor();
  await page.goto('/newsletter/import');
  const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('new@example.com\n') };
  await page.getByLabel('File').setInputFiles(file);
  await page.getByRole('button', { name: 'Look at it first' }).click();
  await page.getByRole('button', { name: 'Ask 1 person to confirm' }).click();
  await page.getByText('Every new address gets an email').waitFor();
});

test.each(['/newsletter/subscribers', '/newsletter/import'])('%s is accessible', async path => {
  const page = await openPage({ viewport: { width: 390, height: 800 } });
  await page.goto(path);
  expect(await findAxeViolations(page)).toEqual([]);
});
