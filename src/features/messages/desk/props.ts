import type { Task } from '../../../core/personal-data.ts';
import type { buildListProps, describeRow, listReasons } from './list-props.ts';
import type { buildMessageProps } from './message-props.ts';

export type MessageListProps = NonNullable<Awaited<ReturnType<typeof buildListProps>>>;
export type ListedMessage = MessageListProps['messages'][number];
export type StateName = ListedMessage['state'];

export type MessageProps = NonNullable<Awaited<ReturnType<typeof buildMessageProps>>>;
export type DeliveryProps = MessageProps['deliveries'][number];

export type DeleteProps = {
  messages: ReturnType<typeof describeRow>[];
  /** Copies elsewhere, which the desk cannot delete. */
  tasks: Task[];
  unknown: number;
  query: string;
  listPath: string;
};

export type DeletedProps = { count: number; problems: string[]; tasks: Task[]; listPath: string };

export type SpamReason = ReturnType<typeof listReasons>[number];

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
