import type { IssueParcel } from '../delivery.ts';
import type { Mail } from '../mail/compose.ts';
import type { Links } from './words.ts';

/** Stands in an issue wherever each reader's own link to leave belongs. */
export const leaveMark = '{{leave}}';

/** Stands in an issue for the site's address, which whoever sends knows; whoever queues may not. */
export const siteMark = 'https://site.invalid';

/** An issue for one reader. Mail programs show a button of their own for leaving, which posts to the link (RFC 8058). */
export function issueLetter(
  { subscriber, subject, html, text }: IssueParcel,
  links: Links,
): Pick<Mail, 'subject' | 'text' | 'html' | 'headers'> {
  const link = links.leave(subscriber);
  return {
    subject,
    text: text.replaceAll(leaveMark, () => link).replaceAll(siteMark, () => links.site),
    html: html
      .replaceAll(leaveMark, () => escapeAttribute(link))
      .replaceAll(siteMark, () => escapeAttribute(links.site)),
    headers: {
      // Somebody wrote it, for these readers; List-Id alone keeps absence notes from answering.
      'Auto-Submitted': 'no',
      'List-Id': `<newsletter.${new URL(link).hostname}>`,
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
