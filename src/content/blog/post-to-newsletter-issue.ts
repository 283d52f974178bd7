import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import type { Prose } from '../prose.ts';
import type { IssueResult } from '../read-newsletter-issue.ts';
import type { Content } from '../schemas/all-schemas.ts';
import { readTextFile } from '../text-file.ts';
import { dayOf, writeDay } from './dates.ts';
import { plainProse } from './plain-prose.ts';
import { postsFolder, readPost } from './read-post.ts';
import { wordsForPosts } from './read-posts.ts';

export function isPostFile(folder: string, file: string): boolean {
  return dirname(resolve(file)) === join(resolve(folder), postsFolder);
}

/** The dot keeps it apart: no file of an issue may have one in its name. */
export function postIssueName(slug: string): string {
  return `blog.${slug}`;
}

export function readPostIssue(
  folder: string,
  file: string,
  { company, blog }: Pick<Content, 'company' | 'blog'>,
  now: Date,
): IssueResult {
  const { post, located, mistakes } = readPost(folder, basename(file), company, wordsForPosts(blog));
  const { text } = readTextFile(file);
  if (!post || text === undefined) return { mistakes };
  const refuse = (field: string, reason: string): IssueResult => ({
    mistakes: [{ file: post.file, line: located?.lineOf([field]) ?? 1, field, reason }],
  });
  if (post.isDraft) return refuse('draft', 'is true; readers could not open a draft on the web');
  if (post.date > dayOf(now))
    return refuse('date', `is to come: it can be sent from ${writeDay(post.date)} on, when it is on the web`);
  const web = `/${postsFolder}/${post.slug}`;
  return {
    mistakes,
    issue: {
      name: postIssueName(post.slug),
      digest: createHash('sha256').update(text).digest('hex'),
      subject: post.title,
      preview: post.summary,
      web,
      body: leadToWeb(plainProse(post.body), web),
    },
  };
}

/** A mail has no place for #here to lead to; the web page has. */
function leadToWeb(prose: Prose, web: string): Prose {
  return prose.map(node => {
    if (typeof node === 'string') return node;
    const [tag, attributes, ...children] = node;
    const { href } = attributes;
    const led = href?.startsWith('#') ? { ...attributes, href: web + href } : attributes;
    return [tag, led, ...leadToWeb(children, web)];
  });
}
