import type { ProseNode } from '../../content/prose.ts';
import type { Draft, IssueWords } from './write-issue.ts';

/**
 * An issue as a page for mail programs: one column, nothing that is fetched, nothing that counts who reads. What it cannot
 * do without stands in style attributes, because some programs drop the style element; dark colours are for the others.
 */
export function writeHtml({ subject, preview, body }: Draft, words: IssueWords, leaveMark: string): string {
  const { sender, why, leave, address } = words;
  // Shown beside the subject in a list of mails, and nowhere else.
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
${body.map(writeNode).join('\n')}
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

const fonts = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";

const colours = {
  paper: 'background-color:#f4f2ea;',
  words: 'color:#12211c;',
  muted: 'color:#4a5a53;',
  accent: 'color:#0b6b4a;',
} as const;

const text = {
  body: `${fonts}font-size:17px;line-height:1.6;overflow-wrap:anywhere;padding-bottom:24px;`,
  sender: 'margin:0 0 40px;font-size:15px;font-weight:600;letter-spacing:-0.01em;',
  h1: 'margin:0 0 24px;font-size:32px;line-height:1.15;font-weight:600;letter-spacing:-0.03em;',
  foot: `${fonts}font-size:14px;line-height:1.5;padding-top:20px;border-top:1px solid #d8d3c4;`,
  footLine: 'margin:0 0 4px;',
  /** As high as a finger. */
  leave: 'display:inline-block;padding:12px 0;',
} as const;

/** The look of each element that Markdown becomes; any other has none, and its words are shown all the same. */
const looks: Record<string, string> = {
  p: 'margin:0 0 16px;',
  h2: 'margin:40px 0 12px;font-size:23px;line-height:1.25;font-weight:600;letter-spacing:-0.02em;',
  h3: 'margin:28px 0 8px;font-size:18px;line-height:1.35;font-weight:600;',
  ul: 'margin:0 0 16px;padding:0 0 0 26px;',
  ol: 'margin:0 0 16px;padding:0 0 0 26px;',
  li: 'margin:0 0 8px;',
  a: colours.accent,
  strong: '',
  em: '',
};

const styles = `
body, table, td { -webkit-text-size-adjust: 100%; }
h1, h2, h3 { text-wrap: balance; }
li > p { margin-bottom: 8px !important; }
a:focus-visible { outline: 2px solid currentColor; outline-offset: 3px; }
@media (max-width: 480px) {
  .edge { padding: 24px 20px 40px !important; }
  h1 { font-size: 28px !important; }
}
@media (prefers-color-scheme: dark) {
  .paper { background-color: #071310 !important; }
  .words { color: #e9f4ee !important; }
  .foot { color: #a9c2b8 !important; border-top-color: #1f3a31 !important; }
  a, .sender { color: #5df0b4 !important; }
}
`;

function writeNode(node: ProseNode): string {
  if (typeof node === 'string') return escapeHtml(node);
  const [tag, { href }, ...children] = node;
  const words = children.map(writeNode).join('');
  if (!Object.hasOwn(looks, tag)) return words;
  const look = looks[tag] ? ` style="${looks[tag]}"` : '';
  const link = tag === 'a' ? ` href="${escapeHtml(href ?? '')}"` : '';
  return `<${tag}${link}${look}>${words}</${tag}>`;
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(words: string): string {
  return words.replaceAll(/[&<>"']/g, sign => signs[sign] ?? sign);
}
