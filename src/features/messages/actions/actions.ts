import type { Action } from '../../../apps/cli/action.ts';
import { answer, close, markSpam, note, release, reopen } from './change-messages.ts';
import { deleteMessages } from './delete-messages.ts';
import { deliveries, retry, testMessage } from './deliveries.ts';
import { exportMessages, list, report } from './read-messages.ts';
import { show } from './show-message.ts';

/** In the order of the help. */
export const messageActions: readonly Action[] = [
  ...[list, show, answer, note, close, reopen, deleteMessages, exportMessages],
  ...[deliveries, retry, release, markSpam, testMessage, report],
];
