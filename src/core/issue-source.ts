import type { ContentOf, ContentPart } from './content/content-part.ts';
import type { ListPagePaths } from './content/page-view.ts';
import type { SiteResult } from './content/read-site.ts';
import type { IssueResult } from './mail/issue.ts';

/** Posts that the newsletter can send: entries of a folder of content/, of whichever feature. `Part` is what that has there. */
export type IssueSource<Part extends ContentPart = ContentPart> = {
  part: Part;
  /** Which files are sent so, for the help. */
  about: string;
  /** By its path; `content` is the folder. */
  hasFile(content: string, file: string): boolean;
  /** The file of a post, by the name that `listPosts` gives it. */
  findFile(content: string, name: string): string | undefined;
  /** That of the issue that is made of a file, which is given without its ending. */
  nameIssue(file: string): string;
  /** Of a post that visitors can read. `content` is that of the published folder. */
  readIssue(published: string, file: string, content: ContentOf<[Part]>, now: Date): IssueResult;
  /** That visitors can read, the newest first. */
  listPosts(site: SiteResult<[Part]>, now: Date): { name: string; title: string; date: string }[];
  /** That visitors can open, of a site without errors. */
  listPages(site: SiteResult<[Part]>, now: Date): { path: string }[];
};

/** What an issue is read with: the posts of the site, and the pages that it may link to. */
export type IssueSite = { sources: readonly IssueSource[]; listPagePaths: ListPagePaths };

export async function loadIssueSources(
  features: readonly { issueSource?(): Promise<IssueSource> }[],
): Promise<IssueSource[]> {
  const loaded = await Promise.all(features.map(({ issueSource }) => issueSource?.()));
  return loaded.filter(source => source !== undefined);
}
