import { join, relative, resolve } from 'node:path';
import {
  type ContentError,
  describeContentError,
  describeFileError,
} from '../../core/content/content-error.ts';
import type { ReadFacts } from '../../core/content/content-part.ts';
import { listPlaceholders } from '../../core/content/fill-placeholders.ts';
import { readContent } from '../../core/content/read-content.ts';
import { readSite, type SiteResult } from '../../core/content/read-site.ts';
import { readTextFile } from '../../core/content/text-file.ts';
import type { IssueSite } from '../../core/issue-source.ts';
import type { Issue } from '../../core/mail/issue.ts';
import { listLinks, readNewsletterIssue } from './read-newsletter-issue.ts';

/** `text` names the file as the owner knows it. */
export type IssueError = ContentError & { text: string };

/** `warnings`: where the owner's present texts differ from the published ones that the issue has. */
export type ReadableIssue = { issue: Issue; warnings: string[]; errors: [] };

export type IssueFile = ReadableIssue | { issue?: never; errors: IssueError[] };

/** The owner's texts, and those that visitors see; the same folder before the first publish. */
export type IssueFolders = { content: string; published: string };

/**
 * A newsletter issue, from a file of its own or from a post of another feature. Its facts, links and post are those
 * that are published: subscribers must not read what visitors do not.
 */
export function readIssueFile(
  issueSite: IssueSite,
  { content: folder, published }: IssueFolders,
  file: string,
  now: Date,
): IssueFile {
  const { sources } = issueSite;
  const parts = sources.map(({ part }) => part);
  const site = readSite(parts, published);
  // A post with an error keeps no issue from being sent that does not link to the site.
  const { content } = site.content ? site : readContent(parts, published);
  if (!content) return { errors: site.errors.map(error => describePublished(error, published !== folder)) };
  const source = sources.find(one => one.hasFile(folder, file));
  const name = relative(resolve(folder), resolve(file));
  const written = readTextFile(file).text;
  const { text } = readTextFile(source ? join(published, name) : file);
  if (source && text === undefined && written !== undefined) return { errors: [describeUnpublished(name)] };
  const { issue, errors } = source
    ? source.readIssue(published, file, content, now)
    : readNewsletterIssue(file, content);
  if (!issue) return { errors: errors.map(source ? describeInContent : describe) };
  const present = published === folder ? undefined : readSite(parts, folder);
  const listPaths = (read: SiteResult) => listSitePaths(issueSite, read, now);
  const broken = findDeadLinks({ site, present }, file, issue, listPaths);
  if (broken.length > 0) return { errors: broken };
  const warnings = [
    ...(text === written ? [] : [changedPost]),
    ...(present ? listChangedFacts(text ?? '', content, readContent([], folder).validFiles) : []),
  ];
  return { issue, warnings, errors: [] };
}

const changedPost =
  'You have changed this post since it was published. The mail has the published text: publish first if it should have the new one.';

function listChangedFacts(
  text: string,
  published: ReadFacts,
  { brand, company }: Partial<ReadFacts>,
): string[] {
  const later = listPlaceholders({ brand, company });
  return Object.entries(listPlaceholders(published)).flatMap(([name, value]) => {
    const change = later[name];
    if (!text.includes(`{${name}}`) || change === undefined || change === value) return [];
    return [
      `The mail says '${value}', as visitors see it. You have changed it to '${change}', which is not published: publish first if the mail should say that.`,
    ];
  });
}

/** By its path below content/. */
function describeUnpublished(file: string): IssueError {
  const reason = 'is not published yet; publish it first, because the mail links to it';
  return describeInContent({ file, line: 1, field: '', reason });
}

function describePublished(error: ContentError, isBuilt: boolean): IssueError {
  const described = describeInContent(error);
  return isBuilt
    ? { ...described, text: `The site has to be published again first: ${described.text}` }
    : described;
}

function describe(error: ContentError): IssueError {
  return { ...error, text: describeFileError(error) };
}

function describeInContent(error: ContentError): IssueError {
  return { ...error, text: describeContentError(error) };
}

function findDeadLinks(
  { site, present }: { site: SiteResult; present: SiteResult | undefined },
  file: string,
  { body }: Issue,
  listPaths: (site: SiteResult) => string[] | undefined,
): IssueError[] {
  const links = body.flatMap(listLinks).filter(href => href.startsWith('/'));
  if (links.length === 0) return [];
  const known = listPaths(site);
  if (!known) return site.errors.map(error => describePublished(error, present !== undefined));
  const later = (present && listPaths(present)) ?? [];
  const lines = readTextFile(file).text?.split('\n') ?? [];
  return links
    .filter(href => !known.includes(getPath(href)))
    .map(href => {
      const line = Math.max(lines.findIndex(text => text.includes(`(${href}`)) + 1, 1);
      const why = later.includes(getPath(href))
        ? 'that page is not published yet'
        : 'the site has no such page';
      return describe({ file, line, field: 'body', reason: `links to '${href}': ${why}` });
    });
}

function listSitePaths(
  { sources, listPagePaths }: IssueSite,
  site: SiteResult,
  now: Date,
): string[] | undefined {
  if (!site.content) return undefined;
  return listPagePaths(sources.flatMap(source => source.listPages(site, now)));
}

const getPath = (href: string) => href.split(/[?#]/)[0] ?? '';
