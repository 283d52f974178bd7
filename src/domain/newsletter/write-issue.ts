import type { Prose } from '../../content/prose.ts';
import type { Draft, IssueWords } from './newsletter-draft.ts';
import { writeHtml } from './write-html.ts';
import { writeText } from './write-text.ts';

export function writeIssue(
  draft: Draft,
  words: IssueWords,
  { siteUrl, leaveMark }: { siteUrl: string; leaveMark: string },
) {
  const body = absolute(draft.body, siteUrl);
  const web = draft.web === undefined ? {} : { web: new URL(draft.web, siteUrl).href };
  const whole = { ...draft, ...web, body };
  return {
    subject: draft.subject,
    html: writeHtml(whole, words, leaveMark),
    text: writeText(whole, words, leaveMark),
  };
}

function absolute(prose: Prose, siteUrl: string): Prose {
  return prose.map(node => {
    if (typeof node === 'string') return node;
    const [tag, { href, ...attributes }, ...children] = node;
    const link = href === undefined ? {} : { href: URL.parse(href, siteUrl)?.href ?? href };
    return [tag, { ...attributes, ...link }, ...absolute(children, siteUrl)];
  });
}
