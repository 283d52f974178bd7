import type { PostWords } from './types.ts';

/** For a post that is read while blog.yaml has none: the post's own mistakes are told all the same. */
export const noWords: PostWords = {
  topics: [],
  callouts: { note: '', tip: '', important: '', warning: '', caution: '' },
  table: '',
  code: '',
  footnotes: '',
  backToText: '',
};
