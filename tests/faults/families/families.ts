import type { Family } from '../family.ts';
import { disk } from './disk.ts';
import { kill } from './kill.ts';
import { powerCut } from './power-cut.ts';

/** In the order of the table. */
export const families: readonly Family[] = [kill, disk, powerCut];
