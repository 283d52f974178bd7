import type { Post } from '../../src/features/blog/blog-types.ts';

/** A short post, for tests of its metadata. */
export function createPost(slug: string, given: Partial<Post> = {}): Post {
  const date = given.date ?? '2026-11-02';
  return {
    slug,
    file: `blog/${date}-${slug}.md`,
    title: `On ${slug}`,
    summary: `What ${slug} is, and what to do about it, in so many words that a search engine shows them.`,
    topics: [{ slug: 'testing', name: 'Testing' }],
    date,
    isDraft: false,
    illustration: 'shield',
    body: [['p', {}, 'Words.']],
    wordCount: 1,
    images: [],
    minutes: 1,
    contents: [],
    ...given,
  };
}
