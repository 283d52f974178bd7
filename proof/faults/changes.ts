import { join } from 'node:path';

export type Change = { file: string; place: string; instead: string };

/**
 * Settings with which a process of the product finds its sources changed, as `plant` does it, but only in memory: nothing
 * is built again, and all share one copy.
 */
export function changeWhenLoaded(...changes: Change[]): Record<string, string> {
  const preloaded = join(import.meta.dirname, 'drivers/changed-source.ts');
  return { NODE_OPTIONS: `--import=${preloaded}`, FAULT_CHANGES: JSON.stringify(changes) };
}
