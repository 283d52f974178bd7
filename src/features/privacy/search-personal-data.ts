import type { AddressMatcher } from '../../core/address-matcher.ts';
import type { ErasureLogRow } from '../../core/database/tables.ts';
import type { LocalCopies, LocalCopy } from '../../core/local-files.ts';
import {
  addCounts,
  type Counts,
  type ErasureLog,
  type FoundData,
  type PersonalDataSteps,
  type RemoteCopies,
} from '../../core/personal-data.ts';

export type SearchDeps = {
  personalData: readonly PersonalDataSteps[];
  copies: Pick<LocalCopies, 'find'>;
  erasureLog: Pick<ErasureLog, 'list' | 'hashAddress'>;
};

/** What is stored about a person: of each feature, in files, and in the erasure log. */
export type FoundPerson = { parts: FoundData[]; copies: LocalCopy[]; log: ErasureLogRow[] };

/** `extraReferences`: references of the person's messages that do not contain the address. */
export async function searchPersonalData(
  { personalData, copies, erasureLog }: SearchDeps,
  matcher: AddressMatcher,
  extraReferences: readonly string[] = [],
): Promise<FoundPerson> {
  const references = new Set(extraReferences);
  const parts: FoundData[] = [];
  for (const steps of personalData) {
    const found = await steps.find({ ...matcher, references });
    for (const reference of found.references) references.add(reference);
    parts.push(found);
  }
  return {
    parts,
    copies: await copies.find({ ...matcher, references }),
    log: await erasureLog.list(erasureLog.hashAddress(matcher.address)),
  };
}

/** Whether an erasure has nothing to do. The erasure log, a pseudonym alone and files of the owner are no reason for one. */
export function isNothingFound(found: FoundPerson, upTo = endOfTime): boolean {
  return (
    found.parts.every(part => part.select(upTo).isEmpty) &&
    selectCopies(found, upTo).every(({ kind }) => kind === 'unmanaged file')
  );
}

/** After every time. */
const endOfTime = '\uffff';

export function selectCopies({ parts, copies }: FoundPerson, upTo: string): LocalCopy[] {
  const later = new Set(parts.flatMap(part => part.select(upTo).laterReferences ?? []));
  return copies.filter(copy => !later.has(copy.reference) && !(copy.at > upTo));
}

export function countFound({ parts }: FoundPerson): Counts {
  const total: Counts = {};
  for (const { counts } of parts) addCounts(total, counts);
  return total;
}

export async function listRemoteCopies({ parts }: FoundPerson): Promise<RemoteCopies[]> {
  const lists = await Promise.all(parts.map(part => part.listRemoteCopies?.() ?? []));
  return lists.flat();
}
