import { planBlog } from '../../build/blog/plan-blog.ts';
import { defaultPageSettings, listPages, textFiles } from '../../build/create-page-settings.ts';
import { getLondonDay, isDue } from '../../content/blog/publication-dates.ts';
import { describeContentError } from '../../content/content-error.ts';
import { listLinks } from '../../content/read-newsletter-issue.ts';
import { readSite } from '../../content/read-site.ts';
import { contentFolder, getMailTexts } from '../../server/mail-texts.ts';
import { exitWithError, orExit } from '../print.ts';

type Texts = ReturnType<typeof getMailTexts>;
export type IssueFile = NonNullable<ReturnType<Texts['readIssue']>['issue']>;

export function readIssueFile(file: string): { draft: IssueFile; texts: Texts } {
  const texts = orExit(getMailTexts);
  const { issue, errors } = texts.readIssue(file);
  const found = issue ? findDeadLinks(file, issue) : errors;
  if (issue && found.length === 0) return { draft: issue, texts };
  return exitWithError(`${file} has validation errors:`, ...found.map(line => `  ${line}`));
}

function findDeadLinks(file: string, { body }: IssueFile): string[] {
  const links = body.flatMap(listLinks).filter(href => href.startsWith('/'));
  if (links.length === 0) return [];
  const known = [...listPages(defaultPageSettings, planBlogToday()).paths, ...textFiles];
  return links
    .filter(href => !known.includes(href.split(/[?#]/)[0] ?? ''))
    .map(href => `${file}: broken link '${href}': the site has no such page`);
}

function planBlogToday() {
  const { content, posts, errors } = readSite(contentFolder);
  if (!content || !posts) {
    return exitWithError(
      'links to the blog cannot be checked until these errors are fixed:',
      ...errors.map(error => `  ${describeContentError(error)}`),
    );
  }
  const today = getLondonDay(new Date());
  return planBlog(
    posts.filter(post => isDue(post, today)),
    content.blog,
  );
}
