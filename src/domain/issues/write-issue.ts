import type { Prose } from '../../content/prose.ts';
import { writeHtml } from './write-html.ts';
import { writeText } from './write-text.ts';

export type Draft = {
  subject: string;
  preview: string;
  /** Where the same words are on the web, if they are. */
  web?: string;
  body: Prose;
};

/** What stands around every issue, in the owner's words. */
export type IssueWords = {
  sender: string;
  why: string;
  leave: string;
  address: string;
  /** Before the address on the web. */
  web: string;
  /** Before what is on a picture: none is sent. */
  picture: string;
};

export type IssuePlace = {
  /** Where a link such as /faq leads to. */
  siteUrl: string;
  /** Put wherever each reader's own link to leave is to stand. */
  leaveMark: string;
};

/** The same words twice: as a page for mail programs that show one, and as text for all others. */
export function writeIssue(draft: Draft, words: IssueWords, place: IssuePlace) {
  const body = absolute(draft.body, place.siteUrl);
  const web = draft.web === undefined ? {} : { web: new URL(draft.web, place.siteUrl).href };
  const whole = { ...draft, ...web, body };
  return {
    subject: draft.subject,
    html: writeHtml(whole, words, place.leaveMark),
    text: writeText(whole, words, place.leaveMark),
  };
}

/** In a mailbox there is no site for a link to be relative to. */
function absolute(prose: Prose, siteUrl: string): Prose {
  return prose.map(node => {
    if (typeof node === 'string') return node;
    const [tag, { href, ...attributes }, ...children] = node;
    const link = href === undefined ? {} : { href: URL.parse(href, siteUrl)?.href ?? href };
    return [tag, { ...attributes, ...link }, ...absolute(children, siteUrl)];
  });
}
