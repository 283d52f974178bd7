import { templateExamples } from '../../core/content/example-data.ts';
import { below, failed, type LaunchCheck, notChecked, ready, recommended } from '../../core/launch/check.ts';
import { fromTemplate } from '../../core/launch/from-template.ts';
import { places } from '../../core/launch/places.ts';
import { getLondonDay, isDue } from '../../lib/london-day.ts';
import type { Post } from './blog-types.ts';
import { readPublishedPosts } from './due-posts.ts';

const publish = 'run npm run publish-site';

type PostContext = {
  siteContent: { posts?: readonly Post[] | undefined };
  build?: string | undefined;
  now: Date;
};

export const exampleChecks: LaunchCheck<PostContext>[] = below(
  'Company facts',
  recommended(
    'Example posts',
    'They speak in the name of your company.',
    { text: 'Posts', path: '/words/posts' },
    ({ siteContent: { posts } }) => {
      if (!posts) throw new Error('content/ has validation errors');
      const left = posts.filter(({ slug, isDraft }) => !isDraft && templateExamples.posts.includes(slug));
      return left.length > 0
        ? fromTemplate(
            left.map(({ title }) => title),
            'delete them from content/blog',
          )
        : ready('all posts are your own');
    },
  ),
);

export const postChecks: LaunchCheck<PostContext>[] = below(
  'security.txt',
  recommended(
    'Posts',
    'A post appears with the first build on or after its date.',
    places.publish,
    ({ siteContent: { posts }, build, now }) => {
      const publishedPosts = readPublishedPosts(build);
      if (!publishedPosts) return notChecked('there is no build yet', publish);
      if (!posts) return notChecked('content/ has validation errors', 'npm run publish-site lists them');
      const today = getLondonDay(now);
      const shown = new Set(publishedPosts.shown);
      const overdue = posts.filter(post => isDue(post, today) && !shown.has(post.file));
      if (overdue.length > 0) {
        const named = overdue.map(({ file }) => `content/${file}`).join(', ');
        return failed(`not in the build: ${named}`, publish);
      }
      const published = posts.filter(post => !post.isDraft).map(({ file }) => file);
      const withdrawn = publishedPosts.shown.filter(file => !published.includes(file));
      if (withdrawn.length > 0) {
        const named = withdrawn.map(file => `content/${file}`).join(', ');
        return failed(`still in the build: ${named}`, publish);
      }
      return ready(`the build shows ${shown.size === 1 ? 'one post' : `${shown.size} posts`}`);
    },
  ),
);
