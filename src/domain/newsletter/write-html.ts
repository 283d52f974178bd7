import type { ProseNode } from '../../content/prose.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import { colours, looks, styles, text } from './html-looks.ts';
import type { Draft, IssueWords } from './newsletter-draft.ts';

/** No remote content, no tracking. Inline styles, because some mail programs drop the style element. */
export function writeHtml(
  { subject, preview, web, body }: Draft,
  words: IssueWords,
  leaveMark: string,
): string {
  const { sender, why, leave, address } = words;
  const onWeb = web
    ? `<p style="${looks.p}"><a href="${escapeHtml(web)}" style="${looks.a}">${escapeHtml(words.web)}</a></p>\n`
    : '';
  const writeNode = (node: ProseNode): string => write(node, words.picture);
  // Shown beside the subject in a list of mails.
  const opening = preview
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
<style>${styles}</style>
</head>
<body class="paper" style="margin:0;padding:0;${colours.paper}">
${opening}<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="${colours.paper}">
<tr><td align="center" class="edge" style="padding:32px 24px 48px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px">
<tr><td class="words" align="left" style="${text.body}${colours.words}">
<p class="sender" style="${text.sender}${colours.accent}">${escapeHtml(sender)}</p>
<h1 style="${text.h1}">${escapeHtml(subject)}</h1>
${onWeb}${body.map(writeNode).join('\n')}
</td></tr>
<tr><td class="foot" align="left" style="${text.foot}${colours.muted}">
<p style="${text.footLine}">${escapeHtml(why)}</p>
<p style="${text.footLine}"><a href="${escapeHtml(leaveMark)}" style="${text.leave}${colours.accent}">${escapeHtml(leave)}</a></p>
<p style="${text.footLine}">${escapeHtml(address)}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function write(node: ProseNode, picture: string): string {
  if (typeof node === 'string') return escapeHtml(node);
  const [tag, { href, alt = '', start }, ...children] = node;
  // A fetched image would reveal who reads.
  if (tag === 'img') return `<em>${escapeHtml(`${picture}: ${alt}`)}</em>`;
  const words = children.map(child => write(child, picture)).join('');
  if (!Object.hasOwn(looks, tag)) return words;
  const look = looks[tag] ? ` style="${looks[tag]}"` : '';
  const link = tag === 'a' ? ` href="${escapeHtml(href ?? '')}"` : '';
  const first = tag === 'ol' && start ? ` start="${escapeHtml(start)}"` : '';
  return tag === 'hr' ? `<hr${look}>` : `<${tag}${link}${first}${look}>${words}</${tag}>`;
}
