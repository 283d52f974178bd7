import { join } from 'node:path';
import type { ContentFolder, ContentPart, FolderSource } from '../../core/content/content-part.ts';
import type { Post } from './blog-types.ts';
import { findTopicMetaErrors } from './find-topic-meta-errors.ts';
import { nameByDate } from './plan-post-change.ts';
import { postSchema } from './post-schema.ts';
import { isPostFile, noLabels, postsFolder } from './read-post.ts';
import { getPostLabels, readPosts } from './read-posts.ts';
import { type BlogTexts, blog } from './schemas/blog.ts';

const posts: ContentFolder<Post> = {
  hasFile: isPostFile,
  createSchema: source =>
    postSchema(findLabels(source) ?? noLabels, join(source.folder, postsFolder), source.facts.brand?.name),
  read(source, options) {
    const { posts: entries, ...found } = readPosts(source.folder, source.facts, findLabels(source), options);
    return { ...(entries && { entries }), ...found };
  },
  rename: nameByDate,
};

export const blogContent = {
  name: 'blog',
  switchHint: 'The posts, their lists and their feeds. Without it, your posts stay in the desk’s history.',
  files: {
    blog: {
      path: 'blog.yaml',
      schema: blog,
      placeholders: ['number', 'total', 'topic', 'title'],
      pages: [[]],
      title: 'Around the blog',
      group: 'pages',
      preview: '/blog',
    },
  },
  folders: { posts },
  findMetaErrors: findTopicMetaErrors,
} satisfies ContentPart;

function findLabels({ files }: FolderSource) {
  return files.blog ? getPostLabels(files.blog as BlogTexts) : undefined;
}
