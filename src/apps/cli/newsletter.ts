import { preview, resume, sendTest, status, stop } from '../../features/newsletter/actions/issues.ts';
import { send } from '../../features/newsletter/actions/send-issue.ts';
import {
  dropPending,
  erase,
  exportList,
  importList,
  list,
  suppress,
  unsuppress,
} from '../../features/newsletter/actions/subscribers.ts';
import type { Action } from './action.ts';
import { runActions } from './run-actions.ts';

const about = 'Sends newsletter issues and manages subscribers. Times are in UTC.';
const issueActions: readonly Action[] = [preview, sendTest, send, stop, resume, status];
const listActions: readonly Action[] = [
  list,
  exportList,
  importList,
  suppress,
  unsuppress,
  erase,
  dropPending,
];
const actions = [...issueActions, ...listActions];

await runActions('newsletter', { about, example: 'send 2026-11.md', actions });
