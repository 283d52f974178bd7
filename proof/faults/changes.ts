import { join } from 'node:path';

export type Change = { file: string; place: string; instead: string };

/** Settings that change the product's sources as `plant` does, but in memory: nothing is rebuilt, and all share one copy. */
export function changeWhenLoaded(...changes: Change[]): Record<string, string> {
  const preloaded = join(import.meta.dirname, 'drivers/changed-source.ts');
  return { NODE_OPTIONS: `--import=${preloaded}`, FAULT_CHANGES: JSON.stringify(changes) };
}
