import { isExampleEmail } from '../../../../core/content/example-data.ts';
import { readExpiry } from '../../../../core/http/check-security-txt.ts';
import { getLondonDay, isDue } from '../../../../lib/london-day.ts';
import { type Check, failed, notChecked, ready, recommended, required } from '../check.ts';

const noBuild = 'there is no build yet';
const publish = 'run npm run publish-site';

export const publishedChecks: Check[] = [
  recommended('Published', 'Visitors see the last published site.', ({ builtAt, outdatedReason }) => {
    if (!builtAt) return notChecked(noBuild, publish);
    return outdatedReason ? failed(outdatedReason, publish) : ready('nothing was changed since');
  }),
];

export const securityTxtChecks: Check[] = [
  required(
    'security.txt',
    'Security researchers look there for a contact, and may not use an expired file.',
    ({ builtAt, now, securityTxt }) => {
      if (!builtAt) return notChecked(noBuild, publish);
      const expiry = securityTxt && readExpiry(securityTxt, now);
      if (!expiry) return failed('the build has none with an expiry date', publish);
      const day = expiry.expires.toISOString().slice(0, 10);
      if (expiry.isOver) return failed(`it expired on ${day}`, publish);
      if (expiry.isNear) return failed(`it expires on ${day}`, publish);
      const [, address = ''] = /^Contact: mailto:(.+)$/m.exec(securityTxt) ?? [];
      if (isExampleEmail(address))
        return failed(
          `it names ${address}, an example`,
          'set email or securityContact in content/company.yaml',
        );
      return ready(`it names ${decodeURIComponent(address)} until ${day}`);
    },
  ),
];

export const postChecks: Check[] = [
  recommended(
    'Posts',
    'A post appears with the first build on or after its date.',
    ({ siteContent: { posts }, publishedPosts, now }) => {
      if (!publishedPosts) return notChecked(noBuild, publish);
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
];
