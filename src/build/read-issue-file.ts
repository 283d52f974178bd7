import { isPostFile, readPostAsNewsletterIssue } from '../content/blog/post-to-newsletter-issue.ts';
import { getLondonDay, isDue } from '../content/blog/publication-dates.ts';
import { type ContentError, describeContentError, describeFileError } from '../content/content-error.ts';
import { readContent } from '../content/read-content.ts';
import { listLinks, type NewsletterIssue, readNewsletterIssue } from '../content/read-newsletter-issue.ts';
import { readSite, type SiteResult } from '../content/read-site.ts';
import { readTextFile } from '../content/text-file.ts';
import { securityTxtPath } from '../server/check-security-txt.ts';
import { samplePdfPath } from '../site/paths.ts';
import { planBlog } from './blog/plan-blog.ts';
import { defaultPageSettings, listPages, textFiles } from './create-page-settings.ts';

/** `text` names the file as the owner knows it. */
export type IssueError = ContentError & { text: string };

export type IssueFile = { issue: NewsletterIssue; errors: [] } | { issue?: never; errors: IssueError[] };

/** A newsletter issue, from a file of its own or from a post of the content folder. */
export function readIssueFile(folder: string, file: string, now: Date): IssueFile {
  const site = readSite(folder);
  // A post with an error keeps no issue from being sent that does not link to the site.
  const { content } = site.content ? site : readContent(folder);
  if (!content) return { errors: site.errors.map(describeInContent) };
  const isPost = isPostFile(folder, file);
  const { issue, errors } = isPost
    ? readPostAsNewsletterIssue(folder, file, content, now)
    : readNewsletterIssue(file, content);
  if (!issue) return { errors: errors.map(isPost ? describeInContent : describe) };
  const broken = findDeadLinks(site, file, issue, now);
  return broken.length > 0 ? { errors: broken } : { issue, errors: [] };
}

function describe(error: ContentError): IssueError {
  return { ...error, text: describeFileError(error) };
}

function describeInContent(error: ContentError): IssueError {
  return { ...error, text: describeContentError(error) };
}

function findDeadLinks(
  { content, posts, errors }: SiteResult,
  file: string,
  { body }: NewsletterIssue,
  now: Date,
): IssueError[] {
  const links = body.flatMap(listLinks).filter(href => href.startsWith('/'));
  if (links.length === 0) return [];
  if (!content || !posts) return errors.map(describeInContent);
  const due = posts.filter(post => isDue(post, getLondonDay(now)));
  const { paths } = listPages(defaultPageSettings, planBlog(due, content.blog));
  const known = [...paths, ...textFiles, samplePdfPath, securityTxtPath, '/third-party-notices.txt'];
  const lines = readTextFile(file).text?.split('\n') ?? [];
  return links
    .filter(href => !known.includes(href.split(/[?#]/)[0] ?? ''))
    .map(href => {
      const line = Math.max(lines.findIndex(text => text.includes(`(${href}`)) + 1, 1);
      return describe({ file, line, field: 'body', reason: `links to '${href}': the site has no such page` });
    });
}
