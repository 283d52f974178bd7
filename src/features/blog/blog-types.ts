import type { PageView } from '../../core/content/page-view.ts';
import type { Prose } from '../../core/content/prose.ts';

export type Topic = { slug: string; name: string };

export const calloutNames = ['note', 'tip', 'important', 'warning', 'caution'] as const;

export type PostLabels = {
  topics: Topic[];
  callouts: Record<(typeof calloutNames)[number], string>;
  table: string;
  code: string;
  footnotes: string;
  backToText: string;
};

export type Post = {
  slug: string;
  file: string;
  title: string;
  summary: string;
  topics: Topic[];
  date: string;
  updated?: string;
  isDraft: boolean;
  /** Only in a preview: a build leaves the post out. */
  isScheduled?: boolean;
  illustration: string;
  body: Prose;
  wordCount: number;
  images: PostImage[];
  minutes: number;
  contents: Heading[];
};

export type PostImage = {
  file: string;
  line: number;
  variants: { path: string; width: number; height: number }[];
};

export type Heading = { id: string; text: string; depth: 2 | 3 };

export type PostSummary = Pick<
  Post,
  | 'slug'
  | 'title'
  | 'summary'
  | 'topics'
  | 'date'
  | 'updated'
  | 'illustration'
  | 'minutes'
  | 'isDraft'
  | 'isScheduled'
>;

export type BlogView = ListView | PostView;

export type ListView = PageView & {
  kind: 'list';
  topic?: Topic;
  topics: Topic[];
  posts: PostSummary[];
  page: number;
  pages: number;
};

export type PostView = PageView & {
  kind: 'post';
  post: Post;
  related: PostSummary[];
};
