import type { DepsOf } from '../../../core/action.ts';
import type { CorrectableField } from '../../../core/personal-data.ts';
import type { erase, listErasureTasks } from '../actions/erase.ts';
import type { exportData } from '../actions/find-person.ts';
import type { createRectify, planCorrection } from '../actions/rectify.ts';
import type { findUnknownReferences } from '../find-unknown-references.ts';
import type { searchPersonalData } from '../search-personal-data.ts';

export type PrivacyDeskNeeds = {
  domainDeps: DepsOf<typeof searchPersonalData | typeof findUnknownReferences | typeof listErasureTasks>;
  personalFields: readonly CorrectableField[];
} & DepsOf<typeof planCorrection> &
  DepsOf<ReturnType<typeof createRectify>['run']> &
  DepsOf<typeof erase.run | typeof exportData.run>;
