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

test.each([
  { form: 'home', path: '/', placeholder: 'your email address', javaScriptEnabled: true },
  { form: 'footer', path: '/faq', placeholder: 'Your Email Address', javaScriptEnabled: false },
])(
  'sign-up in the $form form, confirmation, an issue, and unsubscribing, with JavaScript: $javaScriptEnabled',
  async ({ form, path, placeholder, javaScriptEnabled }) => {
    const isOneClick = javaScriptEnabled;
    // In capitals, because addresses are compared without case.
    const address = `${form.toUpperCase()}@example.com`;
    const page = await visit.newPage({ javaScriptEnabled });
    await page.goto(path);
    if (javaScriptEnabled) await hydrate(page);

    const field = page.getByPlaceholder(placeholder, { exact: true });
    await field.fill(address.replace('example', 'EXAMPLE'));
    await field.press('Enter');
    await page.locator(':text("Check your inbox to confirm"):visible').first().waitFor();

    const confirmation = await waitForMail(address);
    expect(confirmation.header('List-Unsubscribe')).toBeUndefined();
    const link = findLink(confirmation.text, 'confirm');

    // A mail scanner opens every link, runs scripts, and does so from several IP addresses.
    const scanner = await visit.newPage({ javaScriptEnabled });
    await scanner.goto(link);
    if (javaScriptEnabled) await hydrate(scanner);
    expect((await fetch(visit.site.origin + link, { method: 'HEAD' })).status).toBe(200);
    expect(await findState(address)).toBe('pending');

    await openAndPress(page, link, javaScriptEnabled);
    expect(new URL(page.url()).pathname).toBe('/newsletter/confirmed');
    expect(await findState(address)).toBe('confirmed');

    await queueNewsletterIssue(visit.site, `first-${form}`);
    await expect.poll(() => mailsTo(smtp, address).length).toBe(2);
    const issue = mailsTo(smtp, address)[1];
    expect(issue?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    const leave = findLink(issue?.header('List-Unsubscribe') ?? '', 'unsubscribe');
    // Both parts of the mail contain the same link.
    expect(findLink(issue?.text ?? '', 'unsubscribe')).toBe(leave);
    expect((issue?.html ?? '').replaceAll('&amp;', '&')).toContain(leave);

    if (isOneClick) {
      // By the mail client: no cookies, no login. The page's button gives the same result later.
      const answer = await fetch(visit.site.origin + leave, {
        method: 'POST',
        headers: { origin: 'https://mail.example', 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
        redirect: 'manual',
      });
      expect(answer.status).toBe(200);
      expect(await findState(address)).toBe('unsubscribed');
    }
    await openAndPress(page, leave, javaScriptEnabled);
    expect(new URL(page.url()).pathname).toBe('/newsletter/left');
    expect(await findState(address)).toBe('unsubscribed');

    const second = await queueNewsletterIssue(visit.site, `second-${form}`);
    await expect.poll(async () => (await visit.site.store.newsletterIssues.count(second)).waiting).toBe(0);
    expect(mailsTo(smtp, address)).toHaveLength(2);
  },
);

async function waitForMail(address: string) {
  await expect.poll(() => mailsTo(smtp, address).length).toBe(1);
  return mailsTo(smtp, address)[0] as NonNullable<(typeof smtp.mails)[0]>;
}

/** Opens the page that a mail links to and presses its button. */
async function openAndPress(page: Page, link: string, isHydrated: boolean): Promise<void> {
  await page.goto(link);
  if (isHydrated) await hydrate(page);
  await page.locator('main form:not([action]) button').click();
  await page.waitForURL(url => url.search === '');
}
