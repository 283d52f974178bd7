import { type Erased, erasePerson, findUnknownReferences } from '../../domain/privacy/erase-person.ts';
import {
  buildPostgresCleanupTasks,
  listErasureTasks,
  type Task,
} from '../../domain/privacy/follow-up-tasks.ts';
import {
  isNothingFound,
  type PersonalData,
  searchPersonalData,
} from '../../domain/privacy/search-personal-data.ts';
import { listCopyTargets } from '../../server/copy-targets.ts';
import type { Services } from '../../server/wire.ts';
import { confirm, type Flags } from '../command.ts';
import { describeCounts, exitWithError, formatCount, printError, printJson, printNote } from '../print.ts';
import { findingsToJson, parseAddressMatcher } from './find.ts';
import { formatAudit, printFindings } from './print-findings.ts';

type Values = Flags<'yes' | 'json'> & { with?: string[] | undefined };

export async function erase(services: Services, address: string, values: Values): Promise<void> {
  const matcher = parseAddressMatcher(address);
  const extraReferences = [...new Set(values.with)];
  const deps = services.domainDeps;
  const unknown = await findUnknownReferences(deps, extraReferences);
  if (unknown.length > 0)
    exitWithError(`no message with the reference ${unknown.join(', ')}. Nothing was erased.`);
  const found = await searchPersonalData(deps, matcher, extraReferences);
  const isEmpty = isNothingFound(found);
  if (!values.json) {
    printFindings(found, services);
    for (const entry of found.audit) printNote(formatAudit(entry));
  }
  if (!isEmpty && !values.yes) printNote(describePlan(found));
  if (!isEmpty && !(await confirm('Erase all of this?', values, 'Nothing was erased'))) return;
  // Read again: a delivery may have been made while the question was open.
  const current = isEmpty ? found : await searchPersonalData(deps, matcher, extraReferences);
  const tasks = isEmpty ? [] : await listErasureTasks(deps, listCopyTargets(services), current);
  const erased = await erasePerson(deps, matcher, { extraReferences, found: current });
  if (!isEmpty) tasks.push(...buildPostgresCleanupTasks(erased.cleanup));
  if (isEmpty || !erased.isDone) process.exitCode = 1;
  if (values.json) {
    const { isDone, cleanup: database, remaining, activeLeases, ...rest } = erased;
    const answer = { isKnown: !isEmpty, isDone: isDone && !isEmpty, ...rest, activeLeases, tasks, database };
    return printJson({ address: matcher.address, ...answer, remaining: findingsToJson(remaining) });
  }
  if (isEmpty) printError(`no data to erase for ${matcher.address}`);
  else
    printNote(
      `Erased: ${describeCounts(erased.counts) || 'nothing'}. An audit entry without the address remains.`,
    );
  printRemains(erased, tasks);
  printUnerased(erased);
}

function describePlan({ messages, mentions }: PersonalData): string {
  const others =
    mentions.length === 0
      ? ''
      : ` In ${formatCount(mentions.length, 'message')} of other people the address is replaced by [erased]; --with REFERENCE erases such a message as well.`;
  return `To be erased: ${formatCount(messages.length, 'message')} and everything else listed, except newsletter issues and your own files.${others}`;
}

/** What the command could not reach, and what the owner has to do about it. */
export function printRemains(
  { activeLeases, cleanup }: Pick<Erased, 'activeLeases' | 'cleanup'>,
  tasks: readonly Task[],
): void {
  for (const { where, what, references } of tasks) {
    printNote(`To do: ${where}: ${what}${references.length > 0 ? `: ${references.join(', ')}` : ''}.`);
  }
  if (activeLeases.length > 0) {
    const names = activeLeases.map(({ reference, receiver }) => `${reference} to ${receiver}`);
    printNote(
      `Deliveries still in progress may arrive: ${[...new Set(names)].join(', ')}. Repeat the command in a minute.`,
    );
  }
  if (cleanup.kind === 'sqlite' && !cleanup.isClean) {
    printError(
      'a long read, such as a backup, keeps erased data in the write-ahead log (WAL). Repeat the command when it has ended.',
    );
  }
}

function printUnerased({ remaining, at }: Erased): void {
  const later = remaining.messages.filter(({ receivedAt }) => receivedAt > at).length;
  if (later > 0) printNote(`Received meanwhile and not erased: ${formatCount(later, 'message')}`);
  for (const name of remaining.issues)
    printNote(`Not changed: the newsletter issue ${name} contains the address.`);
  for (const { kind, path } of remaining.copies) {
    if (kind === 'unmanaged file')
      printError(
        `${path} contains the address or a message, and is not changed by this command: edit or delete it yourself`,
      );
  }
  const unerased = remaining.messages.length + remaining.mentions.length - later;
  if (unerased > 0)
    printError(`${formatCount(unerased, 'message')} could not be erased. Repeat the command.`);
}
