import type { Action } from '../../../core/action.ts';
import { preview, resend, resume, sendTest, status, stop } from './issues.ts';
import { send } from './send-issue.ts';
import { dropPending, erase, exportList, importList, list, suppress, unsuppress } from './subscribers.ts';

export const title = 'Newsletter';
export const about = 'Sends newsletter issues and manages subscribers. Times are in UTC.';

export const actions: readonly Action[] = [
  ...[preview, sendTest, send, stop, resume, resend, status],
  ...[list, exportList, importList, suppress, unsuppress, erase, dropPending],
];

export const notes = `An issue is a text file with a name of lower-case letters, digits and hyphens, by which it is identified. A post (\`content/blog/FILE.md\`) and a draft of the desk
(\`data/newsletter/FILE.md\`) are sent the same way.

    ---
    subject: Three things we learnt in March
    preview: Shown beside the subject in an inbox; optional
    ---

    The text, as at the desk.

Ctrl+C stops the progress line, not the sending. Run the same command again to continue. \`--resend-unconfirmed\` and \`--resend-failed\` send again what
[may have arrived or was rejected](newsletter.md#write-and-send-an-issue). \`drop-pending\` is for sign-ups that are not real ([details](../engineer/newsletter.md#abuse)).`;
