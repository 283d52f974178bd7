import type { Clock } from '../../core/clock.ts';
import type { Ids } from '../../core/ids.ts';
import type { Issue } from '../../core/mail/issue.ts';
import type { Outcome } from '../../core/outbox/delivery.ts';
import type { Newsletter } from './create-newsletter.ts';

type SendTestDeps = {
  newsletter: Pick<Newsletter, 'renderIssue' | 'subscriberMail'>;
  ids: Pick<Ids, 'reference'>;
  clock: Clock;
};

const timeoutMs = 40_000;

export function sendTestIssue(
  { newsletter, ids, clock }: SendTestDeps,
  issue: Issue,
  to: string,
): Promise<Outcome> {
  const { subject, html, text } = newsletter.renderIssue(issue);
  return newsletter.subscriberMail.sendTest(
    {
      kind: 'issue',
      reference: ids.reference(),
      receivedAt: clock.now().toISOString(),
      to,
      subscriber: 'test',
      subject: `[Test] ${subject}`,
      html,
      text,
    },
    AbortSignal.timeout(timeoutMs),
  );
}

/** Which link of the mails would not work, because the site's address is not set. */
export function findMissingLink(
  { newsletter, config }: { newsletter: Pick<Newsletter, 'links'>; config: { siteUrl?: string | undefined } },
  { webUrl }: Pick<Issue, 'webUrl'>,
): 'unsubscribe link' | 'link to the post' | undefined {
  if (!newsletter.links) return 'unsubscribe link';
  return webUrl && !config.siteUrl ? 'link to the post' : undefined;
}
