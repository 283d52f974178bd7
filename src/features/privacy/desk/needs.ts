import type { DepsOf } from '../../../core/action.ts';
import type { erase, planCorrection, rectify } from '../actions/change-person.ts';
import type { exportData } from '../actions/find-person.ts';
import type { findUnknownReferences } from '../erase-person.ts';
import type { listErasureTasks } from '../follow-up-tasks.ts';
import type { searchPersonalData } from '../search-personal-data.ts';
import type { readPerson } from './read-person.ts';

export type PrivacyDeskNeeds = {
  domainDeps: DepsOf<typeof searchPersonalData> &
    DepsOf<typeof findUnknownReferences> &
    DepsOf<typeof listErasureTasks>;
} & DepsOf<typeof readPerson> &
  DepsOf<typeof planCorrection> &
  DepsOf<typeof rectify.run> &
  DepsOf<typeof erase.run> &
  DepsOf<typeof exportData.run>;
