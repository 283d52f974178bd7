import type { Prose } from '../prose.ts';

export type Topic = { slug: string; name: string };

export const calloutNames = ['note', 'tip', 'important', 'warning', 'caution'] as const;

export type PostLabels = {
  topics: Topic[];
  callouts: Record<(typeof calloutNames)[number], string>;
  /** The accessible names of scrollable tables and code blocks begin with these. */
  table: string;
  code: string;
  footnotes: string;
  backToText: string;
};

export type Post = {
  /** The file's name without day and ending. */
  slug: string;
  /** Below content/, as errors name it. */
  file: string;
  title: string;
  summary: string;
  topics: Topic[];
  /** As 2026-11-02. */
  date: string;
  updated?: string;
  isDraft: boolean;
  illustration: string;
  /** With HTML's names for attributes: class, tabindex, srcset. */
  body: Prose;
  words: number;
  images: PostImage[];
  minutes: number;
  contents: Heading[];
};

/** The body already refers to the `variants`; the build creates the files. */
export type PostImage = {
  file: string;
  line: number;
  variants: { path: string; width: number; height: number }[];
};

export type Heading = { id: string; words: string; depth: 2 | 3 };

export type PostSummary = Pick<
  Post,
  'slug' | 'title' | 'summary' | 'topics' | 'date' | 'updated' | 'illustration' | 'minutes' | 'isDraft'
>;

export type BlogView = ListView | PostView;

export type BlogMeta = {
  title: string;
  description: string;
  picture: string;
  /** With its version as a query. Absent without SITE_URL. */
  imageUrl?: string;
};

export type ListView = {
  kind: 'list';
  path: string;
  head: BlogMeta;
  topic?: Topic;
  topics: Topic[];
  posts: PostSummary[];
  page: number;
  pages: number;
};

export type PostView = {
  kind: 'post';
  path: string;
  head: BlogMeta;
  post: Post;
  newer?: PostSummary;
  older?: PostSummary;
  related: PostSummary[];
};
