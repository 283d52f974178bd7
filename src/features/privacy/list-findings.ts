import { relative } from 'node:path';
import { type Finding, noFinding } from '../../core/personal-data.ts';
import type { FoundPerson } from './search-personal-data.ts';

/** Everything that was found about a person, in one list. */
export function* listFindings({ parts, copies }: FoundPerson, dataDir: string): Generator<Finding> {
  for (const { findings } of parts) yield* findings;
  for (const { kind, path, reference, at, belongsToPerson } of copies) {
    const what =
      belongsToPerson || kind === 'unmanaged file' ? copyLabels[kind] : `${copyLabels[kind]}, mention`;
    yield { ...noFinding, what, reference, time: at, where: relative(dataDir, path) || path };
  }
}

const copyLabels = {
  row: 'row',
  mail: 'mail',
  'temporary file': 'temporary file',
  'unmanaged file': 'your own file',
} as const;
