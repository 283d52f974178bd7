import { type IssueTexts, type NewsletterDraft, renderNewsletterHtml } from '../../core/mail/mail-html.ts';
import { renderNewsletterText } from '../../core/mail/newsletter-text.ts';
import { resolveLinks } from '../../core/mail/resolve-links.ts';

export function renderNewsletter(
  draft: NewsletterDraft,
  texts: IssueTexts,
  { siteUrl, unsubscribeUrl }: { siteUrl: string; unsubscribeUrl: string },
) {
  const body = resolveLinks(draft.body, siteUrl);
  const webUrl = draft.webUrl === undefined ? {} : { webUrl: new URL(draft.webUrl, siteUrl).href };
  const resolved = { ...draft, ...webUrl, body };
  return {
    subject: draft.subject,
    html: renderNewsletterHtml(resolved, texts, unsubscribeUrl),
    text: renderNewsletterText(resolved, texts, unsubscribeUrl),
  };
}
