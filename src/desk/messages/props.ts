import type { Moment } from '../format-time.ts';

export type TabName = 'new' | 'answered' | 'closed' | 'quarantined' | 'spam' | 'all';
export type StateName = Exclude<TabName, 'all'> | 'empty';
export type DeliveryChoice = 'failed' | 'waiting' | '';

/** What is listed, as it stands in the URL; '' where nothing is chosen. `before` is the last reference of the page before. */
export type ListFilter = {
  state: TabName;
  search: string;
  since: string;
  service: string;
  delivery: DeliveryChoice;
  before: string;
};

export type ChangeName = 'answer' | 'close' | 'reopen' | 'spam' | 'release' | 'retry';

export type ListedMessage = {
  reference: string;
  path: string;
  sender: string;
  excerpt: string;
  service: string;
  state: StateName;
  received: Moment;
  isUndelivered: boolean;
  hasReport: boolean;
};

export type MessageListProps = {
  filter: ListFilter;
  /** The filter as a query, for links and forms. */
  query: string;
  tabs: { name: TabName; path: string; count: string }[];
  /** How many messages are new, such as '3' or '10,000+'; '' for none. */
  newCount: string;
  messages: ListedMessage[];
  /** '12 messages', as far as they are counted. */
  summary: string;
  firstPath: string | undefined;
  nextPath: string | undefined;
  services: string[];
  reasons: SpamReason[];
};

export type SpamReason = { name: string; text: string };

export type DeliveryProps = {
  receiver: string;
  state: 'good' | 'attention' | 'plain';
  summary: string;
  moment: Moment | undefined;
  explanation: string;
  /** Its receiver gets nothing until the owner resumes it. */
  isPaused: boolean;
  attempts: { number: number; ended: Moment; text: string }[];
};

export type ReportProps = {
  domain: string;
  graded: string;
  measured: Moment;
  first: string[];
  open: { title: string; status: string }[];
  passed: string;
};

export type MessageProps = {
  reference: string;
  state: StateName;
  sender: string;
  email: string;
  /** Every other field but the name and the text. */
  details: { label: string; value: string }[];
  text: string;
  received: Moment;
  answered: Moment | undefined;
  closed: Moment | undefined;
  reasons: string[];
  replyUrl: string | undefined;
  changes: ChangeName[];
  deliveries: DeliveryProps[];
  canRetry: boolean;
  notes: { created: Moment; text: string }[];
  noteError: string | undefined;
  /** What was typed, where it could not be stored. */
  noteText: string;
  /** Undefined for a message without one; null for one that is erased. */
  report: ReportProps | null | undefined;
  query: string;
  listPath: string;
  newerPath: string | undefined;
  olderPath: string | undefined;
  newCount: string;
};

type Task = { where: string; what: string; references: string[] };

export type DeleteProps = {
  messages: Pick<ListedMessage, 'reference' | 'sender' | 'excerpt' | 'received'>[];
  /** Copies elsewhere, which the desk cannot delete. */
  tasks: Task[];
  unknown: number;
  query: string;
  listPath: string;
};

export type DeletedProps = { count: number; problems: string[]; tasks: Task[]; listPath: string };

export type ReleaseProps = {
  reasons: SpamReason[];
  reason: string;
  since: string;
  sinceText: string;
  /** Messages that arrive later are not released. */
  upTo: string;
  count: number;
  receivers: string;
  error: string | undefined;
};

export type MessagePages = {
  'messages/list': MessageListProps;
  'messages/message': MessageProps;
  'messages/delete': DeleteProps;
  'messages/deleted': DeletedProps;
  'messages/release': ReleaseProps;
};
