import type { ViewsOf } from '../../ui/desk/views.ts';
import { NewsletterDraft } from './desk/draft.tsx';
import { NewsletterImport } from './desk/import.tsx';
import { NewsletterIssue } from './desk/issue.tsx';
import { NewsletterIssues } from './desk/issues.tsx';
import { NewsletterPost } from './desk/post.tsx';
import type { NewsletterPages } from './desk/props.ts';
import { NewsletterSend } from './desk/send.tsx';
import { NewsletterSubscriber } from './desk/subscriber.tsx';
import { NewsletterSubscribers } from './desk/subscribers.tsx';

export const newsletterViews: ViewsOf<NewsletterPages> = {
  'newsletter/issues': NewsletterIssues,
  'newsletter/draft': NewsletterDraft,
  'newsletter/post': NewsletterPost,
  'newsletter/send': NewsletterSend,
  'newsletter/issue': NewsletterIssue,
  'newsletter/subscribers': NewsletterSubscribers,
  'newsletter/subscriber': NewsletterSubscriber,
  'newsletter/import': NewsletterImport,
};
