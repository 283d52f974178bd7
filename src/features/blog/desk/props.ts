export type PostEntry = {
  file: string;
  title: string;
  date: string;
  state: 'draft' | 'scheduled' | 'published';
  errors: number;
};

export type PostsProps = {
  posts: PostEntry[];
  typed?: { title: string; date: string };
  today: string;
  titleLimit: number;
  /** Of the new post, at its fields. */
  errors?: { title?: string; date?: string };
  error?: string;
};

export type PostPages = { 'words/posts': PostsProps };
