import { join } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import { hashText } from '../../../core/content/editing/edit-file.ts';
import { readSite } from '../../../core/content/read-site.ts';
import { readTextFile } from '../../../core/content/text-file.ts';
import { hashFolder } from '../../../core/hash-folder.ts';
import { findPublishedContent } from '../../../core/http/current-build.ts';
import type { IssueSite } from '../../../core/issue-source.ts';
import { getLondonDay } from '../../../lib/london-day.ts';
import type { NewsletterDrafts } from '../newsletter-drafts.ts';
import { type IssueFile, readIssueFile } from '../read-issue-file.ts';

/** A draft, or a post of another feature. `path` is that of its page. */
export type FoundIssue = { path: string; read(): IssueFile };

export type IssueFinder = ReturnType<typeof createIssueFinder>;

type FinderDeps = { root: string; drafts: NewsletterDrafts; clock: Clock };

export function createIssueFinder(site: IssueSite, { root, drafts, clock }: FinderDeps) {
  const content = join(root, 'content');
  const findPublished = () => findPublishedContent(root);
  let last: { key: string; issue: IssueFile } | undefined;
  return {
    find(kind: string, name: string): FoundIssue | undefined {
      const file = kind === 'posts' ? findPost(name) : drafts.read(name)?.file;
      if (!file) return undefined;
      return {
        path: `/newsletter/${kind}/${name}`,
        read: () => read(file),
      };
    },
    /** Posts that are published, the newest first. */
    listPosts: () =>
      site.sources.flatMap(source => source.listPosts(readSite([source.part], findPublished()), clock.now())),
  };

  /** A page and its frames ask for the same: reading all of content/ takes a moment. */
  function read(file: string): IssueFile {
    const now = clock.now();
    const folders = { content, published: findPublished() };
    const texts = [hashText(readTextFile(file).text), hashFolder(content), folders.published];
    const key = [file, ...texts, getLondonDay(now)].join(' ');
    if (last?.key !== key) last = { key, issue: readIssueFile(site, folders, file, now) };
    return last.issue;
  }

  function findPost(name: string): string | undefined {
    return site.sources.flatMap(source => source.findFile(content, name) ?? []).at(0);
  }
}
