import type { Prose } from '../prose.ts';

export type Topic = { slug: string; name: string };

export const calloutNames = ['note', 'tip', 'important', 'warning', 'caution'] as const;

export type PostWords = {
  topics: Topic[];
  callouts: Record<(typeof calloutNames)[number], string>;
  /** The accessible names of scrolling places begin with these. */
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
  art: string;
  /** With HTML's names for attributes: class, tabindex, srcset. */
  body: Prose;
  words: number;
  pictures: PostPicture[];
  minutes: number;
  contents: Heading[];
};

/** `addresses` are in the body already; the build makes the files. */
export type PostPicture = {
  file: string;
  line: number;
  addresses: { path: string; width: number; height: number }[];
};

export type Heading = { id: string; words: string; depth: 2 | 3 };

export type PostSummary = Pick<
  Post,
  'slug' | 'title' | 'summary' | 'topics' | 'date' | 'updated' | 'art' | 'minutes' | 'isDraft'
>;

export type BlogView = ListView | PostView;

export type BlogHead = {
  title: string;
  description: string;
  picture: string;
  /** With its version. Absent without SITE_URL. */
  share?: string;
};

export type ListView = {
  kind: 'list';
  path: string;
  head: BlogHead;
  topic?: Topic;
  topics: Topic[];
  posts: PostSummary[];
  page: number;
  pages: number;
};

export type PostView = {
  kind: 'post';
  path: string;
  head: BlogHead;
  post: Post;
  newer?: PostSummary;
  older?: PostSummary;
  related: PostSummary[];
};
