import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import type { ContentOf } from '../../core/content/content-part.ts';
import type { Prose } from '../../core/content/prose.ts';
import { readTextFile } from '../../core/content/text-file.ts';
import type { IssueResult } from '../../core/mail/issue.ts';
import { formatDay, getLondonDay } from '../../lib/london-day.ts';
import type { blogContent } from './content.ts';
import { postsFolder, readPost } from './read-post.ts';
import { getPostLabels } from './read-posts.ts';
import { simplifyProse } from './simplify-prose.ts';

export function isPostFile(folder: string, file: string): boolean {
  return dirname(resolve(file)) === join(resolve(folder), postsFolder);
}

/** The dot cannot collide: the file name of a newsletter issue may not contain one. */
export function getPostIssueName(slug: string): string {
  return `blog.${slug}`;
}

export function readPostAsNewsletterIssue(
  folder: string,
  file: string,
  { brand, company, blog }: ContentOf<[typeof blogContent]>,
  now: Date,
): IssueResult {
  const { post, parsed, errors } = readPost(folder, basename(file), { brand, company }, getPostLabels(blog));
  const { text } = readTextFile(file);
  if (!post || text === undefined) return { errors };
  const reject = (field: string, reason: string): IssueResult => ({
    errors: [{ file: post.file, line: parsed?.lineAt([field]) ?? 1, field, reason }],
  });
  if (post.isDraft) return reject('draft', 'is true; subscribers could not open a draft on the website');
  if (post.date > getLondonDay(now))
    return reject(
      'date',
      `is in the future: the post can be sent from ${formatDay(post.date)}, when it is on the website`,
    );
  const webUrl = `/${postsFolder}/${post.slug}`;
  return {
    errors,
    issue: {
      name: getPostIssueName(post.slug),
      hash: createHash('sha256').update(text).digest('hex'),
      subject: post.title,
      preview: post.summary,
      webUrl,
      body: linkAnchorsToWeb(simplifyProse(post.body), webUrl),
    },
  };
}

function linkAnchorsToWeb(prose: Prose, webUrl: string): Prose {
  return prose.map(node => {
    if (typeof node === 'string') return node;
    const [tag, attributes, ...children] = node;
    const { href } = attributes;
    const linked = href?.startsWith('#') ? { ...attributes, href: webUrl + href } : attributes;
    return [tag, linked, ...linkAnchorsToWeb(children, webUrl)];
  });
}
