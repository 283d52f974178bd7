import type { Action } from '../../../core/action.ts';
import { preview, resend, resume, sendTest, status, stop } from './issues.ts';
import { send } from './send-issue.ts';
import { dropPending, erase, exportList, importList, list, suppress, unsuppress } from './subscribers.ts';

export const about = 'Sends newsletter issues and manages subscribers. Times are in UTC.';
export const example = 'send 2026-11.md';

export const actions: readonly Action[] = [
  ...[preview, sendTest, send, stop, resume, resend, status],
  ...[list, exportList, importList, suppress, unsuppress, erase, dropPending],
];
