import { join } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import { hashText } from '../../../core/content/editing/edit-file.ts';
import { readSite } from '../../../core/content/read-site.ts';
import { readTextFile } from '../../../core/content/text-file.ts';
import { hashFolder } from '../../../core/hash-folder.ts';
import { findPublishedContent } from '../../../core/http/current-build.ts';
import { formatDay, getLondonDay, isDue } from '../../../lib/london-day.ts';
import { blogContent } from '../../blog/content.ts';
import type { NewsletterDrafts } from '../newsletter-drafts.ts';
import { type IssueFile, readIssueFile } from '../read-issue-file.ts';

/** What an issue is made of: a draft, or a post of the blog. */
export type IssueSource = { path: string; read(): IssueFile };

const postName = /^\d{4}-\d{2}-\d{2}-[a-z0-9-]+$/;

export function createIssueSources(root: string, drafts: NewsletterDrafts, clock: Clock) {
  const content = join(root, 'content');
  const findPublished = () => findPublishedContent(root);
  let last: { key: string; issue: IssueFile } | undefined;
  return {
    find(kind: string, name: string): IssueSource | undefined {
      const file = kind === 'posts' ? findPost(name) : drafts.read(name)?.file;
      if (!file) return undefined;
      return {
        path: `/newsletter/${kind}/${name}`,
        read: () => read(file),
      };
    },
    /** Posts that are published, the newest first. */
    listPosts: () =>
      (readSite([blogContent], findPublished()).posts ?? [])
        .filter(post => isDue(post, getLondonDay(clock.now())))
        .map(({ file, title, date }) => ({
          name: file.replace(/^.*\/|\.md$/g, ''),
          title,
          date: formatDay(date),
        })),
  };

  /** A page and its frames ask for the same: reading all of content/ takes a moment. */
  function read(file: string): IssueFile {
    const now = clock.now();
    const folders = { content, published: findPublished() };
    const texts = [hashText(readTextFile(file).text), hashFolder(content), folders.published];
    const key = [file, ...texts, getLondonDay(now)].join(' ');
    if (last?.key !== key) last = { key, issue: readIssueFile(folders, file, now) };
    return last.issue;
  }

  function findPost(name: string): string | undefined {
    return postName.test(name) ? join(content, 'blog', `${name}.md`) : undefined;
  }
}
