import type { ComponentType } from 'react';
import { Posts } from '../../features/blog/desk/posts.tsx';
import { DeletedMessages, DeleteMessages } from '../../features/messages/desk/delete.tsx';
import { MessageList } from '../../features/messages/desk/list.tsx';
import { Message } from '../../features/messages/desk/message.tsx';
import { Release } from '../../features/messages/desk/release.tsx';
import { NewsletterDraft } from '../../features/newsletter/desk/draft.tsx';
import { NewsletterImport } from '../../features/newsletter/desk/import.tsx';
import { NewsletterIssue } from '../../features/newsletter/desk/issue.tsx';
import { NewsletterIssues } from '../../features/newsletter/desk/issues.tsx';
import { NewsletterPost } from '../../features/newsletter/desk/post.tsx';
import { NewsletterSend } from '../../features/newsletter/desk/send.tsx';
import { NewsletterSubscriber } from '../../features/newsletter/desk/subscriber.tsx';
import { NewsletterSubscribers } from '../../features/newsletter/desk/subscribers.tsx';
import { PrivacyCorrect } from '../../features/privacy/desk/correct.tsx';
import { PrivacyErase } from '../../features/privacy/desk/erase.tsx';
import { PrivacyOutcome } from '../../features/privacy/desk/outcome.tsx';
import { PrivacyPerson } from '../../features/privacy/desk/person.tsx';
import { PrivacyStart } from '../../features/privacy/desk/start.tsx';
import { Problem } from './components/problem.tsx';
import { Figures } from './figures/figures.tsx';
import { Health } from './health/health.tsx';
import { Launch } from './health/launch.tsx';
import { Setting } from './health/setting.tsx';
import { Overview } from './overview/overview.tsx';
import type { Pages } from './pages.ts';
import { Brand } from './words/brand.tsx';
import { Editor } from './words/editor.tsx';
import { History } from './words/history.tsx';
import { Images } from './words/images.tsx';
import { WordsList } from './words/list.tsx';
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
