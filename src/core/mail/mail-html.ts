import { escapeHtml } from '../../lib/escape-html.ts';
import type { Prose, ProseNode } from '../content/prose.ts';
import { createMailStyles, type MailBrand } from './mail-styles.ts';

export type NewsletterDraft = {
  subject: string;
  preview: string;
  webUrl?: string;
  body: Prose;
};

export type IssueTexts = {
  sender: string;
  reason: string;
  unsubscribe: string;
  address: string;
  readOnWeb: string;
  imageLabel: string;
  brand: MailBrand;
};

/** No remote content, no tracking. Inline styles, because some mail programs drop the style element. */
export function renderNewsletterHtml(
  { subject, preview, webUrl, body }: NewsletterDraft,
  texts: IssueTexts,
  unsubscribeUrl: string,
): string {
  const { brand, reason, unsubscribe, address } = texts;
  const { colours, layout, elements } = createMailStyles(brand.colours);
  const onWeb = webUrl
    ? `<p style="${elements.p}"><a href="${escapeHtml(webUrl)}" style="${elements.a}">${escapeHtml(texts.readOnWeb)}</a></p>\n`
    : '';
  return renderMailHtml({
    subject,
    preview,
    brand,
    body: onWeb + renderProseHtml(body, brand, texts.imageLabel),
    foot: [
      escapeHtml(reason),
      `<a href="${escapeHtml(unsubscribeUrl)}" style="${layout.unsubscribe}${colours.accent}">${escapeHtml(unsubscribe)}</a>`,
      escapeHtml(address),
    ],
  });
}

export function renderProseHtml(prose: Prose, { colours }: MailBrand, imageLabel = ''): string {
  const { elements } = createMailStyles(colours);
  return prose.map(node => renderNode(node, imageLabel, elements)).join('\n');
}

type MailParts = { subject: string; preview?: string; brand: MailBrand; body: string; foot: string[] };

/** `body` and the lines of `foot` are HTML. */
export function renderMailHtml({ subject, preview, brand, body, foot }: MailParts): string {
  const { colours, layout, styleSheet } = createMailStyles(brand.colours);
  const preheader = preview
    ? `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preview)}</div>\n`
    : '';
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(subject)}</title>
<style>${styleSheet}</style>
</head>
<body class="surface" style="margin:0;padding:0;${colours.surface}">
${preheader}<table role="presentation" class="surface" width="100%" cellpadding="0" cellspacing="0" border="0" style="${colours.surface}">
<tr><td align="center" class="edge" style="padding:32px 24px 48px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px">
<tr><td class="text" align="left" style="${layout.body}${colours.text}">
<p class="logo" style="${layout.logo}${colours.accent}">${escapeHtml(brand.logoText)}</p>
<h1 style="${layout.h1}">${escapeHtml(subject)}</h1>
${body}
</td></tr>
<tr><td class="foot" align="left" style="${layout.foot}${colours.muted}">
${foot.map(line => `<p style="${layout.footLine}">${line}</p>`).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function renderNode(node: ProseNode, imageLabel: string, elements: Record<string, string>): string {
  if (typeof node === 'string') return escapeHtml(node);
  const [tag, { href, alt = '', start }, ...children] = node;
  // A remote image would be a tracking pixel.
  if (tag === 'img') return `<em>${escapeHtml(`${imageLabel}: ${alt}`)}</em>`;
  const content = children.map(child => renderNode(child, imageLabel, elements)).join('');
  if (!Object.hasOwn(elements, tag)) return content;
  const style = elements[tag] ? ` style="${elements[tag]}"` : '';
  const link = tag === 'a' ? ` href="${escapeHtml(href ?? '')}"` : '';
  const first = tag === 'ol' && start ? ` start="${escapeHtml(start)}"` : '';
  return tag === 'hr' ? `<hr${style}>` : `<${tag}${link}${first}${style}>${content}</${tag}>`;
}
