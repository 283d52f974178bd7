import type { Action } from '../../../core/action.ts';
import { answer, close, markSpam, note, release, reopen } from './change-messages.ts';
import { deleteMessages } from './delete-messages.ts';
import { deliveries, retry, testMessage } from './deliveries.ts';
import { exportMessages, list, report } from './read-messages.ts';
import { show } from './show-message.ts';

export const about = 'Lists and manages messages and their deliveries. Times are in UTC.';
export const example = 'list --since 7d';

/** In the order of the help. */
export const actions: readonly Action[] = [
  ...[list, show, answer, note, close, reopen, deleteMessages, exportMessages],
  ...[deliveries, retry, release, markSpam, testMessage, report],
];
