import { erase, rectify } from '../../features/privacy/actions/change-person.ts';
import { exportData, find } from '../../features/privacy/actions/find-person.ts';
import type { Action } from './action.ts';
import { runActions } from './run-actions.ts';

const about = `Answers data subject requests: access, correction and erasure. Verify the identity of the person \
first. An erasure leaves an audit entry without personal data, and lists what it cannot reach. Times are in UTC.`;
const actions: readonly Action[] = [find, exportData, rectify, erase];

await runActions('privacy', { about, example: 'find zoe@example.com', actions });
