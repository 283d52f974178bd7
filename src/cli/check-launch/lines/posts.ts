import { dayOf, isDue } from '../../../content/blog/days.ts';
import { type Check, missing, notChecked, ready } from '../check.ts';

/** Whether the blog shows what its owner wrote. */
export const postLines: Check[] = [
  {
    name: 'Posts',
    level: 'should',
    why: 'A post whose day has come is shown by the next build, and by none before.',
    look({ words: { posts }, notedPosts, now }) {
      if (!notedPosts) return notChecked('there is no build yet: npm start or npm run build makes it');
      if (!posts) return notChecked('content/ has mistakes; npm run build names each with its line');
      const today = dayOf(now);
      const shown = new Set(notedPosts.shown);
      const lost = posts.filter(post => isDue(post, today) && !shown.has(post.file));
      if (lost.length > 0) {
        const named = lost.map(({ file }) => `content/${file}`).join(', ');
        return missing(`not in the build: ${named}; run npm run build, then restart the site`);
      }
      const published = posts.filter(post => !post.isDraft).map(({ file }) => file);
      const withdrawn = notedPosts.shown.filter(file => !published.includes(file));
      if (withdrawn.length > 0) {
        const named = withdrawn.map(file => `content/${file}`).join(', ');
        return missing(`still in the build: ${named}; run npm run build, then restart the site`);
      }
      return ready(`the build shows ${shown.size === 1 ? 'one post' : `${shown.size} posts`}`);
    },
  },
];
