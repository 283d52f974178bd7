import type { Action } from '../../../core/action.ts';
import { erase, rectify } from './change-person.ts';
import { exportData, find } from './find-person.ts';

export const title = 'Privacy requests';
export const about = `Answers data subject requests: access, correction and erasure. Verify the identity of the person \
first. An erasure leaves an audit entry without personal data, and lists what it cannot reach. Times are in UTC.`;

export const actions: readonly Action[] = [find, exportData, rectify, erase];

export const notes =
  '`rectify --reference` corrects one message only. `rectify` and `erase` ask first. To unsubscribe a person: `npm run newsletter -- suppress`.';
