import type { Action, ActionList } from '../../../core/action.ts';
import type { IssueSite } from '../../../core/issue-source.ts';
import {
  createIssueField,
  createPreview,
  createResend,
  createResume,
  createSendTest,
  createStatus,
  createStop,
} from './issues.ts';
import { createSend } from './send-issue.ts';
import { dropPending, erase, exportList, importList, list, suppress, unsuppress } from './subscribers.ts';

export function createActions(site: IssueSite): ActionList {
  const { preview, sendTest, send, stop, resume, resend, status } = createIssueActions(site);
  const actions: readonly Action[] = [
    ...[preview, sendTest, send, stop, resume, resend, status],
    ...[list, exportList, importList, suppress, unsuppress, erase, dropPending],
  ];
  return { title, about, actions, notes };
}

export type IssueActions = ReturnType<typeof createIssueActions>;

export function createIssueActions(site: IssueSite) {
  const issue = createIssueField(site);
  return {
    preview: createPreview(issue),
    sendTest: createSendTest(issue),
    send: createSend(issue),
    stop: createStop(site),
    resume: createResume(site),
    resend: createResend(site),
    status: createStatus(site),
  };
}

const title = 'Newsletter';
const about = 'Sends newsletter issues and manages subscribers. Times are in UTC.';

const notes = `An issue is a text file with a name of lower-case letters, digits and hyphens, by which it is identified. A post (\`content/blog/FILE.md\`) and a draft of the desk
(\`data/newsletter/FILE.md\`) are sent the same way.

    ---
    subject: Three things we learnt in March
    preview: Shown beside the subject in an inbox; optional
    ---

    The text, as at the desk.

Ctrl+C stops the progress line, not the sending. Run the same command again to continue. \`--resend-unconfirmed\` and \`--resend-failed\` send again what
[may have arrived or was rejected](newsletter.md#write-and-send-an-issue). \`drop-pending\` is for sign-ups that are not real ([details](../engineer/newsletter.md#abuse)).`;
