import type { Messages } from '../../store/messages.ts';
import type { Privacy } from '../../store/privacy.ts';
import type { AuditPseudonyms } from './pseudonym.ts';

type UnknownDeps = {
  messages: Pick<Messages, 'get'>;
  privacy: Pick<Privacy, 'listAudit'>;
  audit: AuditPseudonyms;
};

/** A message in the audit is known: an interrupted erasure may have left its copies. */
export async function findUnknownReferences(
  { messages, privacy, audit }: UnknownDeps,
  references: readonly string[],
): Promise<string[]> {
  const unknown: string[] = [];
  for (const reference of references) {
    const isKnown =
      (await messages.get(reference)) || (await privacy.listAudit(audit.ofMessage(reference))).length > 0;
    if (!isKnown) unknown.push(reference);
  }
  return unknown;
}
