import type { ViewsOf } from '../../ui/desk/views.ts';
import { Posts } from './desk/posts.tsx';
import type { PostPages } from './desk/props.ts';

export const postViews: ViewsOf<PostPages> = {
  'words/posts': Posts,
};
