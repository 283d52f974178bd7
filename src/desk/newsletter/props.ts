import type { Moment } from '../format-time.ts';

/** As in the database, whose types need those of Node: the browser's files have none. */
type SubscriberState = 'pending' | 'confirmed' | 'unsubscribed' | 'suppressed';

export type IssueFigures = {
  recipients: number;
  sent: number;
  waiting: number;
  held: number;
  failed: number;
  unconfirmed: number;
  cancelled: number;
};

export type IssueState = 'sending' | 'stopped' | 'sent';

export type IssueLine = {
  reference: string;
  subject: string;
  queuedAt: Moment;
  state: IssueState;
  figures: IssueFigures;
};

export type IssuesProps = {
  confirmed: number;
  /** Sign-ups that have not been confirmed. */
  pending: number;
  isSiteRunning: boolean;
  drafts: { name: string; subject: string; changedAt: Moment }[];
  issues: IssueLine[];
};

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

/** A mail that can be sent: its preview, and the forms for it. */
export type MailProps = {
  /** The path of the draft, post or issue. */
  path: string;
  subject: string;
  preview: string;
  text: string;
  testTo: string;
  confirmed: number;
  /** Where the owner's present texts differ from the published ones that the mail has. */
  warnings: string[];
};

export type SendProps = {
  path: string;
  subject: string;
  hash: string;
  confirmed: number;
  /** Why it cannot be sent. */
  refusal: string | null;
  notes: string[];
};

export type IssueProps = IssueLine & {
  isSiteRunning: boolean;
  /** The mail server refused, and nothing is sent until the owner says so. */
  isPaused: boolean;
  /** Why mails wait. */
  stall: string | null;
  undelivered: { address: string; state: string; attempts: number; reason: string }[];
  undeliveredTotal: number;
  text: string;
};

export type SubscriberLine = {
  id: string;
  address: string | null;
  state: SubscriberState;
  reason: string;
  form: string;
  changedAt: Moment | null;
};

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

export type ConsentProps = { form: string; text: string | null; requestedAt: Moment | null };

export type SubscriberProps = SubscriberLine & {
  consent: ConsentProps | null;
  request: ConsentProps | null;
  confirmedAt: Moment | null;
  unsubscribedAt: Moment | null;
  suppressedAt: Moment | null;
  network: string | null;
  mails: { text: string; state: string; at: Moment }[];
  isErasing: boolean;
};

export type ImportProps = {
  id: string;
  error?: string;
  counts: {
    added: number;
    subscribed: number;
    unsubscribed: number;
    suppressed: number;
    repeated: number;
    optedOut: number;
  } | null;
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
