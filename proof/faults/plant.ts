import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Copy } from '../../tests/harness/process.ts';

/** Changes one place of a copy of the product. A place that is not there, or there twice, is a mistake of the plant's. */
export function plant({ folder }: Copy, file: string, place: string, bug: string): void {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(place).length !== 2) throw new Error(`${file} does not hold this exactly once: ${place}`);
  writeFileSync(
    path,
    source.replace(place, () => bug),
  );
}

export type Change = { file: string; place: string; instead: string };

/** Settings that change the product's sources as `plant` does, but in memory: nothing is rebuilt, and all share one copy. */
export function changeWhenLoaded(...changes: Change[]): Record<string, string> {
  const preloaded = join(import.meta.dirname, 'drivers/changed-source.ts');
  return { NODE_OPTIONS: `--import=${preloaded}`, FAULT_CHANGES: JSON.stringify(changes) };
}
