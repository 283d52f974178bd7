import type { ComponentType } from 'react';
import { Problem } from './components/problem.tsx';
import { Figures } from './figures/figures.tsx';
import { Health } from './health/health.tsx';
import { Launch } from './health/launch.tsx';
import { Setting } from './health/setting.tsx';
import { DeletedMessages, DeleteMessages } from './messages/delete.tsx';
import { MessageList } from './messages/list.tsx';
import { Message } from './messages/message.tsx';
import { Release } from './messages/release.tsx';
import { NewsletterDraft } from './newsletter/draft.tsx';
import { NewsletterImport } from './newsletter/import.tsx';
import { NewsletterIssue } from './newsletter/issue.tsx';
import { NewsletterIssues } from './newsletter/issues.tsx';
import { NewsletterPost } from './newsletter/post.tsx';
import { NewsletterSend } from './newsletter/send.tsx';
import { NewsletterSubscriber } from './newsletter/subscriber.tsx';
import { NewsletterSubscribers } from './newsletter/subscribers.tsx';
import { Overview } from './overview/overview.tsx';
import type { Pages } from './pages.ts';
import { PrivacyCorrect } from './privacy/correct.tsx';
import { PrivacyErase } from './privacy/erase.tsx';
import { PrivacyOutcome } from './privacy/outcome.tsx';
import { PrivacyPerson } from './privacy/person.tsx';
import { PrivacyStart } from './privacy/start.tsx';
import { Brand } from './words/brand.tsx';
import { Editor } from './words/editor.tsx';
import { History } from './words/history.tsx';
import { Images } from './words/images.tsx';
import { WordsList } from './words/list.tsx';
import { Posts } from './words/posts.tsx';
import { Publish } from './words/publish.tsx';

export const views: { [Name in keyof Pages]: ComponentType<Pages[Name]> } = {
  'messages/list': MessageList,
  'messages/message': Message,
  'messages/delete': DeleteMessages,
  'messages/deleted': DeletedMessages,
  'messages/release': Release,
  overview: Overview,
  figures: Figures,
  health: Health,
  'health/launch': Launch,
  'health/setting': Setting,
  problem: Problem,
  'newsletter/issues': NewsletterIssues,
  'newsletter/draft': NewsletterDraft,
  'newsletter/post': NewsletterPost,
  'newsletter/send': NewsletterSend,
  'newsletter/issue': NewsletterIssue,
  'newsletter/subscribers': NewsletterSubscribers,
  'newsletter/subscriber': NewsletterSubscriber,
  'newsletter/import': NewsletterImport,
  'privacy/start': PrivacyStart,
  'privacy/person': PrivacyPerson,
  'privacy/correct': PrivacyCorrect,
  'privacy/erase': PrivacyErase,
  'privacy/outcome': PrivacyOutcome,
  'words/brand': Brand,
  'words/images': Images,
  'words/publish': Publish,
  'words/editor': Editor,
  'words/history': History,
  'words/list': WordsList,
  'words/posts': Posts,
};
