import { randomIds } from '../../src/core/ids.ts';
import { newsletterPaths } from '../../src/features/newsletter/contract.ts';
import type { FakeSmtpServer, ReceivedMail } from '../fakes/smtp-server.ts';
import type { WiredSite } from './site.ts';

/** Settings that send subscriber mail to the fake mail server, with links to this URL. */
export function subscriberMailSettings(
  smtp: FakeSmtpServer,
  siteUrl = 'http://site.example',
): Record<string, string> {
  return {
    SMTP_URL: smtp.url,
    NOTIFY_EMAIL: 'office@example.com',
    SITE_URL: siteUrl,
    NEWSLETTER_RATE: '1000',
  };
}

/** Mails to one subscriber, in order of arrival. */
export function mailsTo(smtp: FakeSmtpServer, address: string): ReceivedMail[] {
  return smtp.mails.filter(({ to }) => to.includes(address));
}

/** Path and query of a mail's link, without the host: the test site's port differs. */
export function findLink(text: string, step: 'confirm' | 'unsubscribe'): string {
  const found = new RegExp(`https?://[^\\s/]+(${newsletterPaths[step]}\\?[^\\s>"]+)`).exec(text)?.[1];
  if (!found) throw new Error(`no link to ${newsletterPaths[step]} in ${text}`);
  return found;
}

/** Queues an issue for all confirmed subscribers, as `npm run newsletter -- send` does. */
export async function queueNewsletterIssue(
  { store, newsletter, worker, clock }: WiredSite,
  name: string,
): Promise<string> {
  const reference = randomIds.reference();
  const written = newsletter.renderIssue({
    subject: `The ${name} issue`,
    preview: '',
    body: [['p', {}, `What is new in ${name}.`]],
  });
  await store.newsletterIssues.queue({
    reference,
    name,
    hash: name,
    queued_at: clock.now().toISOString(),
    ...written,
  });
  worker.wake();
  return reference;
}
