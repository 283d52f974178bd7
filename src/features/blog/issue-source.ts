import { basename, join } from 'node:path';
import type { IssueSource } from '../../core/issue-source.ts';
import { formatDay, getLondonDay, isDue } from '../../lib/london-day.ts';
import type { Post } from './blog-types.ts';
import { blogContent } from './content.ts';
import { planBlog } from './plan-blog.ts';
import { getPostIssueName, isPostFile, readPostAsNewsletterIssue } from './post-to-newsletter-issue.ts';
import { postsFolder } from './read-post.ts';

const postName = /^\d{4}-\d{2}-\d{2}-[a-z0-9-]+$/;

export const postSource: IssueSource<typeof blogContent> = {
  part: blogContent,
  about: `a blog post: content/${postsFolder}/FILE.md`,
  hasFile: isPostFile,
  findFile: (content, name) => (postName.test(name) ? join(content, postsFolder, `${name}.md`) : undefined),
  nameIssue: file => getPostIssueName(file.replace(/^\d{4}-\d{2}-\d{2}-/, '')),
  readIssue: readPostAsNewsletterIssue,
  listPosts: ({ posts = [] }, now) =>
    listDue(posts, now).map(({ file, title, date }) => ({
      name: basename(file, '.md'),
      title,
      date: formatDay(date),
    })),
  listPages: ({ content, posts = [] }, now) => (content ? planBlog(listDue(posts, now), content.blog) : []),
};

function listDue(posts: readonly Post[], now: Date): Post[] {
  return posts.filter(post => isDue(post, getLondonDay(now)));
}
