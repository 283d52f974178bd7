import type { planIssue } from '../actions/send-issue.ts';
import type { ImportCounts } from '../import-subscribers.ts';
import type { SubscriberState } from '../read-subscribers.ts';
import type { toDetails, toLine } from './describe-subscriber.ts';
import type { buildIssueProps, buildIssuesProps } from './issue-props.ts';
import type { buildMailProps } from './mail.ts';

export type IssuesProps = Awaited<ReturnType<typeof buildIssuesProps>>;
export type IssueLine = IssuesProps['issues'][number];
export type IssueProps = Awaited<ReturnType<typeof buildIssueProps>>;

export type MailProps = Awaited<ReturnType<typeof buildMailProps>>;

export type DraftProps = {
  /** Null before it is saved for the first time. */
  name: string | null;
  fields: { subject: string; preview: string; body: string };
  hash: string;
  /** Refused: what the fields contain is not what is stored, and would not be sent. */
  isUnsaved: boolean;
  errors: { subject?: string; preview?: string; body?: string };
  /** What is wrong elsewhere, such as in content/. */
  otherErrors: string[];
  file: string;
  posts: { name: string; title: string; date: string }[];
  mail: MailProps | null;
};

export type PostProps = { errors: string[]; mail: MailProps | null };

export type SendProps = { path: string; subject: string; hash: string } & Omit<
  Awaited<ReturnType<typeof planIssue>>,
  'counts'
>;

export type SubscriberLine = ReturnType<typeof toLine>;
export type SubscriberProps = ReturnType<typeof toDetails> & { isErasing: boolean };
export type ConsentProps = NonNullable<SubscriberProps['consent']>;

export type SubscribersProps = {
  state: SubscriberState | '';
  search: string;
  /** The id under which the desk remembers the search. */
  searchId: string;
  counts: Record<SubscriberState | '', number>;
  waiting: number;
  total: number;
  page: number;
  pages: number;
  subscribers: SubscriberLine[];
  block: { email: string; error?: string };
};

export type ImportProps = {
  id: string;
  error?: string;
  counts: (ImportCounts & { optedOut: number }) | null;
  invalidLines: number[];
  perHour: number;
};

export type NewsletterPages = {
  'newsletter/issues': IssuesProps;
  'newsletter/draft': DraftProps;
  'newsletter/post': PostProps;
  'newsletter/send': SendProps;
  'newsletter/issue': IssueProps;
  'newsletter/subscribers': SubscribersProps;
  'newsletter/subscriber': SubscriberProps;
  'newsletter/import': ImportProps;
};
