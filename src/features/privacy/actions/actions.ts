import type { ActionList } from '../../../core/action.ts';
import type { CorrectableField } from '../../../core/personal-data.ts';
import { erase } from './erase.ts';
import { exportData, find } from './find-person.ts';
import { createRectify } from './rectify.ts';

const about = `Answers data subject requests: access, correction and erasure. Verify the identity of the person \
first. An erasure leaves an entry in the erasure log without personal data, and lists what it cannot reach. Times are in UTC.`;

const notes =
  '`rectify --reference` corrects one message only. `rectify` and `erase` ask first. To unsubscribe a person: `npm run newsletter -- suppress`.';

/** A correction has an option for each of these fields. */
export const createActions = (fields: readonly CorrectableField[]): ActionList => ({
  title: 'Privacy requests',
  about,
  actions: [find, exportData, createRectify(fields), erase],
  notes,
});
