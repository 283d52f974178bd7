import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createSmtpServer, type FakeSmtpServer } from '../fakes/smtp-server.ts';
import { hydrate, visitServer } from '../harness/page.ts';
import { startSite, type TestSite } from '../harness/site.ts';
import {
  findLink,
  mailsTo,
  queueNewsletterIssue,
  subscriberMailSettings,
} from '../harness/subscriber-mail.ts';

let smtp: FakeSmtpServer;

/** Our server with a fake mail server and running deliveries. */
const visit = visitServer(async (): Promise<TestSite> => {
  smtp = await createSmtpServer();
  const site = await startSite(subscriberMailSettings(smtp, 'http://127.0.0.1'));
  await site.worker.start();
  return {
    ...site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
});

const findState = async (address: string) => {
  const { store, newsletter } = visit.site;
  return (await store.subscribers.get(newsletter.keys.subscriberPseudonym(address.toLowerCase())))?.state;
};

test('sign-up, confirmation, an issue and unsubscribing work without JavaScript', async () => {
  // In capitals, because addresses are compared without case.
  const address = 'FOOTER@example.com';
  const page = await visit.newPage({ javaScriptEnabled: false });
  await page.goto('/faq');
  const field = page.getByPlaceholder('Your Email Address', { exact: true });
  await field.fill(address.replace('example', 'EXAMPLE'));
  await field.press('Enter');
  await page.locator(':text("Check your inbox to confirm"):visible').first().waitFor();
  await expect.poll(() => mailsTo(smtp, address).length).toBe(1);
  const [confirmation] = mailsTo(smtp, address);
  const link = findLink(confirmation?.text ?? '', 'confirm');

  // A mail scanner opens every link and runs scripts.
  await visit.open(link);
  await hydrate(visit.page);
  expect(await findState(address)).toBe('pending');

  await openAndPress(page, link);
  expect(new URL(page.url()).pathname).toBe('/newsletter/confirmed');
  expect(await findState(address)).toBe('confirmed');

  await queueNewsletterIssue(visit.site, 'first');
  await expect.poll(() => mailsTo(smtp, address).length).toBe(2);
  const issue = mailsTo(smtp, address)[1];
  await openAndPress(page, findLink(issue?.text ?? '', 'unsubscribe'));
  expect(new URL(page.url()).pathname).toBe('/newsletter/left');
  expect(await findState(address)).toBe('unsubscribed');
  const second = await queueNewsletterIssue(visit.site, 'second');
  await expect.poll(async () => (await visit.site.store.newsletterIssues.count(second)).waiting).toBe(0);
  expect(mailsTo(smtp, address)).toHaveLength(2);
});

/** Opens the page that a mail links to and presses its button. */
async function openAndPress(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.locator('main form:not([action]) button').click();
  await page.waitForURL(url => url.search === '');
}
