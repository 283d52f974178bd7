import type { DepsOf } from '../../../core/action.ts';
import type { Clock } from '../../../core/clock.ts';
import type { note, release } from '../actions/change-messages.ts';
import type { deleteMessages, planDeletion } from '../actions/delete-messages.ts';
import type { exportMessages } from '../actions/read-messages.ts';
import type { countQuarantined } from '../read-inbox.ts';
import type { changeMessages } from './change-messages.ts';
import type { buildListProps } from './list-props.ts';
import type { buildMessageProps } from './message-props.ts';

export type MessageDeskNeeds = {
  clock: Clock;
  domainDeps: DepsOf<typeof countQuarantined> & { receivers: readonly string[] };
} & DepsOf<
  | typeof buildListProps
  | typeof buildMessageProps
  | typeof changeMessages
  | typeof planDeletion
  | typeof deleteMessages.run
  | typeof release.run
  | typeof note.run
  | typeof exportMessages.run
>;
