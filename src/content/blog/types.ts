import type { Prose } from '../prose.ts';

/** A subject that posts share. Declared once, in content/blog.yaml. */
export type Topic = { slug: string; name: string };

export const calloutNames = ['note', 'tip', 'important', 'warning', 'caution'] as const;
export type CalloutName = (typeof calloutNames)[number];

/** What of content/blog.yaml the text of a post is made with. */
export type PostWords = {
  topics: Topic[];
  /** The label over each kind of callout. */
  callouts: Record<CalloutName, string>;
  /** What the places that scroll are called, before what they hold: 'Table', 'Code'. */
  table: string;
  code: string;
  /** The heading over the footnotes. */
  footnotes: string;
  /** Of the link from a footnote to where it was read, before its number. */
  backToText: string;
};

/** A post as its owner wrote it, checked. */
export type Post = {
  /** Of its address: the file's name without day and ending. */
  slug: string;
  /** Below content/, as mistakes name it. */
  file: string;
  title: string;
  summary: string;
  topics: Topic[];
  /** Days, as 2026-11-02. */
  date: string;
  updated?: string;
  isDraft: boolean;
  /** A file of src/site/art. */
  art: string;
  /** With the names of HTML for its attributes: class, tabindex, srcset. */
  body: Prose;
  /** How many words the body has. */
  words: number;
  /** The files that its pictures are made from. */
  pictures: PostPicture[];
  /** How long it takes to read, at least one. */
  minutes: number;
  /** The headings of the body, in order. */
  contents: Heading[];
};

/** A picture of a post as its owner laid it beside the post. `addresses` are in the body already; the build makes them. */
export type PostPicture = {
  /** Where it lies. */
  file: string;
  /** Of the post that shows it. */
  line: number;
  addresses: { path: string; width: number; height: number }[];
};

export type Heading = { id: string; words: string; depth: 2 | 3 };

/** What a list or a neighbour shows of a post. */
export type PostSummary = Pick<
  Post,
  'slug' | 'title' | 'summary' | 'topics' | 'date' | 'updated' | 'art' | 'minutes' | 'isDraft'
>;

/** One page of the blog, ready to be rendered. */
export type BlogView = ListView | PostView;

/** What is said of a page where it is not itself shown. Made by `headOf` of src/build/blog/head-of.ts. */
export type BlogHead = {
  /** Without the company's name. */
  title: string;
  description: string;
  /** The words on the picture for sharing. */
  picture: string;
  /** The picture's own path, with its version, or none where the site has no address of its own. */
  share?: string;
};

export type ListView = {
  kind: 'list';
  path: string;
  head: BlogHead;
  /** Absent on the list of all posts. */
  topic?: Topic;
  /** Topics that have posts. */
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
  /** By day: the one after it and the one before it. */
  newer?: PostSummary;
  older?: PostSummary;
  related: PostSummary[];
};
