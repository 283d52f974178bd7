import { dirname, join } from 'node:path';
import {
  type ContentError,
  describeProblem,
  type Problem,
  toProblem,
} from '../../core/content/content-error.ts';
import type { ReadOptions } from '../../core/content/content-part.ts';
import { facts } from '../../core/content/facts.ts';
import type { PageView } from '../../core/content/page-view.ts';
import { locateLink, parseText } from '../../core/content/read-content.ts';
import { valueAt } from '../../core/content/source-positions.ts';
import { readTextFile } from '../../core/content/text-file.ts';
import { findCurrentBuild } from '../../core/http/current-build.ts';
import { postsFolder } from '../../features/blog/read-post.ts';
import { contentParts } from '../../features.content.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import { readSite, type SiteResult } from '../content.ts';
import { findDeadContentLinks } from './check-content-links.ts';
import { findDeadLinks, type WrittenPage } from './check-links.ts';
import { findUnsupportedEndpoints } from './create-page-settings.ts';
import { findCspViolations } from './find-csp-violations.ts';
import { leadsToOffPage } from './site-parts.ts';

// What publishing refuses. A build and `npm run dev` make the same checks and report them in the same words.

/** `errors` are those of content/, `problems` all. */
export function checkSources(
  folder: string,
  settings: PageSettings,
  options?: ReadOptions,
): SiteResult & { problems: Problem[] } {
  const site = readSite(folder, options);
  const errors = [
    ...site.errors,
    ...findOffMenuButton(folder, settings),
    ...(options?.isPreview ? [] : findPublishedDeadLinks(folder, site)),
  ];
  const endpoints = findUnsupportedEndpoints(settings).map(reason => ({ reason }));
  const problems = [...errors.map(toProblem), ...endpoints];
  return { ...site, problems };
}

/** Other links to what is switched off are left out: the header has one button. */
function findOffMenuButton(folder: string, settings: PageSettings): ContentError[] {
  const { path: file } = facts.files.brand;
  const { parsed } = parseText(file, readTextFile(join(folder, file)).text ?? '');
  const path = ['menuButton', 'path'];
  const link = valueAt(parsed?.value, path);
  if (!parsed || typeof link !== 'string' || !leadsToOffPage(settings, link)) return [];
  const reason = `leads to ${link}, which is switched off; choose another page`;
  return [{ file, line: parsed.lineAt(path), field: 'path', path, reason }];
}

/** In `npm run dev`, whose pages are checked as they are rendered, these would be reported twice. */
function findPublishedDeadLinks(folder: string, { posts = [] }: SiteResult): ContentError[] {
  const build = findCurrentBuild(join(dirname(folder), 'dist'));
  const isLeftOut = ({ file }: ContentError) =>
    file.startsWith(`${postsFolder}/`) && !posts.some(post => post.file === file && !post.isDraft);
  return findDeadContentLinks(folder, { build }).filter(error => !isLeftOut(error));
}

export type CheckedPage = WrittenPage & { css?: string };

type PagesToCheck = {
  /** The content folder, where the links were written. */
  folder: string;
  pages: CheckedPage[];
  /** Drafts and scheduled posts: a published page may not link to them, but they may link to each other. */
  unpublished?: CheckedPage[];
  files: string[];
  views: Pick<PageView, 'path' | 'file'>[];
};

export function checkPages({ folder, pages, unpublished = [], files, views }: PagesToCheck): Problem[] {
  const entries = new Map(views.map(({ path, file }) => [path, file]));
  const locate = (link: string, path: string) =>
    locateLink(contentParts, folder, link, entries.get(path)) ??
    (link.startsWith(`${path}#`)
      ? locateLink(contentParts, folder, link.slice(path.length), entries.get(path))
      : undefined);
  const violations = [...pages, ...unpublished].flatMap(({ path, html, css }) =>
    findCspViolations(html, css).map(what => ({
      reason: `${path} contains ${what}, which its Content-Security-Policy forbids`,
    })),
  );
  // A link of the menu is on every page.
  const deadLinks = findDeadLinks(pages, files, { locate, unpublished });
  return [...violations, ...new Map(deadLinks.map(one => [describeProblem(one), one])).values()];
}
