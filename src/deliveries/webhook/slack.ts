import type { Parcel } from '../delivery.ts';
import { chatText } from './chat-lines.ts';

/** Slack, and what understands the same. Formatting and previews are off: a visitor's link is fetched by nobody. */
export function slackBody(parcel: Parcel, isPossiblyTwice: boolean) {
  const { title, lines } = chatText(parcel, isPossiblyTwice);
  return {
    text: [title, ...lines].map(defuse).join('\n'),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  };
}

/**
 * Between < and > Slack reads links and calls such as <!channel>. Others call everybody at a bare @here: an @ that stands
 * at the beginning of a word is parted from it by a space without width.
 */
function defuse(line: string): string {
  return line
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/(?<![\p{L}\p{N}])@(?=\S)/gu, '@\u200b');
}
