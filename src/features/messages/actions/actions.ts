import type { Action } from '../../../core/action.ts';
import { answer, close, markSpam, note, release, reopen } from './change-messages.ts';
import { deleteMessages } from './delete-messages.ts';
import { deliveries, retry, testMessage } from './deliveries.ts';
import { exportMessages, list, report } from './read-messages.ts';
import { show } from './show-message.ts';

export const title = 'Messages';
export const about = 'Lists and manages messages and their deliveries. Times are in UTC.';

/** In the order of the help. */
export const actions: readonly Action[] = [
  ...[list, show, answer, note, close, reopen, deleteMessages, exportMessages],
  ...[deliveries, retry, release, markSpam, testMessage, report],
];

export const notes = `\`list\` shows all states, newest first; \`--state\` shows one. \`close\`, \`reopen\`, \`mark-spam\` and \`delete\` accept several references. \`delete\` and \`release --reason\`
ask first. An existing file is replaced only with \`--force\`. These commands also work while a setting is wrong, such as the mail server or the sheet: they print a
warning that names the setting. \`release\`, \`delete\` and \`test-message\` need every setting to be correct, because they deliver messages or have to say where copies
are.`;
