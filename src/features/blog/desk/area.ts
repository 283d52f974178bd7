import { join } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import type { DeskArea } from '../../../core/desk/desk-area.ts';
import { listPostFiles } from '../plan-post-change.ts';
import { addPostRoutes } from './post-routes.ts';

/** Posts are words: their pages belong to that area. */
export const postArea: DeskArea<{ clock: Clock }> = {
  path: '/words/posts',
  addRoutes: addPostRoutes,
  listWordsLinks: ({ root }) => [
    { text: `Blog posts (${listPostFiles(join(root, 'content')).length})`, path: '/words/posts' },
  ],
};
