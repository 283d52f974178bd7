import type { Commands } from './action.ts';

/**
 * What a feature registers; core, the desk, the commands and the build iterate over the list in src/features.ts and know no
 * feature by its name. Each part is declared where it is used, and has a field here.
 */
export type Feature = {
  name: string;
  /** Other features whose index.ts it imports: only ones that cannot be removed. */
  needs?: readonly string[];
  /** What the owner can do, by commands. */
  actions?: Commands;
};
