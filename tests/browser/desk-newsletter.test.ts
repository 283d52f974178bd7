import { expect, test } from 'vitest';
import { createSmtpServer } from '../fakes/smtp-server.ts';
import { findAxeViolations } from '../harness/axe.ts';
import { shareBrowser } from '../harness/browser.ts';
import { startDesk } from '../harness/desk.ts';
import { disposeAfterAll } from '../harness/dispose-after-all.ts';
import { watchPage } from '../harness/page.ts';
import { mailsTo, subscriberMailSettings } from '../harness/subscriber-mail.ts';
import { bringToState, verbDeps } from '../harness/subscribers.ts';

const smtp = await disposeAfterAll(createSmtpServer());
const desk = await disposeAfterAll(startDesk(subscriberMailSettings(smtp)));
for (const name of ['zoe', 'max'])
  await bringToState(verbDeps(desk.services), `${name}@example.com`, 'confirmed');

test('an issue is written, looked at, tested, sent and followed', async () => {
  const page = await desk.openPage(await shareBrowser());
  const problems = watchPage(page, desk.origin);
  await page.goto('/newsletter/new');
  await page.getByLabel('Subject').fill('Three things');
  await page.getByLabel('Text').fill('What [is new](/faq).');
  await page.getByLabel('Text').press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Saved.').waitFor();

  await page.getByText('Dark', { exact: true }).click();
  const colours = ['light', 'dark'].map(scheme =>
    page
      .frameLocator(`iframe[title="The mail, ${scheme}"]`)
      .locator('body:has(h1:text("Three things"))')
      .evaluate(body => getComputedStyle(body).backgroundColor),
  );
  expect(new Set(await Promise.all(colours)).size).toBe(2);

  await page.getByLabel('First words').fill('In short');
  await page.getByText('Save first').waitFor();
  expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0);
  // As after a restart: another tab gets the new session, and what was typed here is kept.
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Open the new link in another tab').waitFor();
  expect(problems.splice(0)).toEqual([expect.stringContaining('401')]);
  await page.context().addCookies(cookies);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('A test to this address').fill('me@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('The test was sent').waitFor();
  expect(mailsTo(smtp, 'me@example.com')).toHaveLength(1);

  await page.getByRole('link', { name: 'Send to all…' }).press('Enter');
  await page.getByText('it is not running').waitFor();
  await page.getByRole('button', { name: 'Send to 2 subscribers' }).press('Enter');
  await page.getByText('0 of 2 sent').waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  // The site starts meanwhile: the page follows by itself.
  await desk.services.worker.start();
  await page.getByText(/[12] of 2 sent/).waitFor();
  expect(problems).toEqual([]);
}, 60_000);

test('subscribers are searched, stopped and imported without a script', async () => {
  await bringToState(verbDeps(desk.services), 'ann@example.com', 'confirmed');
  const page = await desk.openPage(await shareBrowser(), { javaScriptEnabled: false });
  await page.goto('/newsletter/subscribers');
  await page.getByRole('searchbox').fill('ann');
  await page.getByRole('button', { name: 'Search' }).click();
  // The list before the search has the same links: a click there would be lost when the result arrives.
  await page.getByText('max@example.com').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /ann@example\.com/ }).click();
  await page.getByRole('button', { name: 'Stop mail to it' }).click();
  await page.getByText('Nothing more is sent').waitFor();
  await page.goto('/newsletter/import');
  const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('new@example.com\n') };
  await page.getByLabel('File').setInputFiles(file);
  await page.getByRole('button', { name: 'Look at it first' }).click();
  await page.getByRole('button', { name: 'Ask 1 person to confirm' }).click();
  await page.getByText('Every new address gets an email').waitFor();
  const { signUps, subscribers } = desk.services.store;
  await expect.poll(async () => (await signUps.count()) + (await subscribers.count('pending'))).toBe(1);
});
