import type { Family } from '../family.ts';
import { clocks } from './clocks.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { kill } from './kill.ts';
import { overload } from './overload.ts';
import { powerCut } from './power-cut.ts';
import { processes } from './processes.ts';
import { receivers } from './receivers.ts';
import { soak } from './soak.ts';

/** In the order of the table. */
export const families: readonly Family[] = [
  ...[kill, disk, database, receivers, clocks],
  ...[overload, soak, processes, powerCut],
];
