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
