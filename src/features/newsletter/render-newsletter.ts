import type { Prose } from '../../core/content/prose.ts';
import { type IssueTexts, type NewsletterDraft, renderNewsletterHtml } from '../../core/mail/mail-html.ts';
import { renderNewsletterText } from '../../core/mail/newsletter-text.ts';

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

export function resolveLinks(prose: Prose, siteUrl: string | undefined): Prose {
  return prose.map(node => {
    if (typeof node === 'string') return node;
    const [tag, { href, ...attributes }, ...children] = node;
    const link = href === undefined ? {} : { href: URL.parse(href, siteUrl)?.href ?? href };
    return [tag, { ...attributes, ...link }, ...resolveLinks(children, siteUrl)];
  });
}
