import type { ErasureLog, PersonalDataSteps } from '../../core/personal-data.ts';

type UnknownDeps = {
  personalData: readonly Pick<PersonalDataSteps, 'hasReference'>[];
  erasureLog: Pick<ErasureLog, 'list' | 'hashReference'>;
};

/** A message in the erasure log is known: an interrupted erasure may have left its copies. */
export async function findUnknownReferences(
  { personalData, erasureLog }: UnknownDeps,
  references: readonly string[],
): Promise<string[]> {
  const unknown: string[] = [];
  for (const reference of references) {
    const stored = await Promise.all(personalData.map(steps => steps.hasReference?.(reference)));
    const isKnown =
      stored.includes(true) || (await erasureLog.list(erasureLog.hashReference(reference))).length > 0;
    if (!isKnown) unknown.push(reference);
  }
  return unknown;
}
