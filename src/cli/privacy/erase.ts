import { type Erased, erasePerson } from '../../domain/privacy/erase-person.ts';
import {
  holdsNothing,
  type PersonalData,
  searchPersonalData,
} from '../../domain/privacy/search-personal-data.ts';
import type { Wired } from '../../server/wire.ts';
import { confirm, type Flags } from '../command.ts';
import { formatCount, printError, printJson, printNote } from '../print.ts';
import { exitWithError } from '../print-error.ts';
import { describeAudit, describeCounts, printFindings } from './describe-person.ts';
import { asJson, depsOf, readTrace } from './find.ts';
import {
  listCopiesOutside,
  type Task,
  writeBackupTask,
  writeDigestTask,
  writeLettersTask,
  writeTasks,
} from './follow-up-tasks.ts';
import { writeOrphanedDataTasks } from './orphaned-data-tasks.ts';

type Values = Flags<'yes' | 'json'> & { with?: string[] | undefined };

export async function erase(wired: Wired, address: string, values: Values): Promise<void> {
  const trace = readTrace(address);
  const also = [...new Set(values.with)];
  const deps = depsOf(wired);
  await assertThere(wired, also);
  const found = await searchPersonalData(deps, trace, also);
  const isEmpty = holdsNothing(found);
  if (!values.json) {
    printFindings(found, wired);
    for (const line of found.audit) printNote(describeAudit(line));
  }
  if (!isEmpty && !values.yes) printNote(describePlan(found));
  if (!isEmpty && !(await confirm('Erase all of this?', values, 'Nothing was erased'))) return;
  const outside = await listCopiesOutside(wired, found);
  const erased = await erasePerson(deps, trace, { also, found });
  const tasks = [
    ...writeTasks(outside, 'erase'),
    ...writeDigestTask(wired, found),
    ...writeLettersTask(wired, found),
    ...(isEmpty ? [] : [...writeOrphanedDataTasks(erased.settled), ...(await writeBackupTask(wired))]),
  ];
  if (isEmpty || !erased.isDone) process.exitCode = 1;
  if (values.json) {
    const { isDone, settled: database, remaining, activeLeases: underWay, ...rest } = erased;
    const answer = { isKnown: !isEmpty, isDone: isDone && !isEmpty, ...rest, underWay, tasks, database };
    return printJson({ address: trace.address, ...answer, left: asJson(remaining) });
  }
  if (isEmpty) printError(`Nothing is known of ${trace.address} that could be erased.`);
  else
    printNote(
      `Erased: ${describeCounts(erased.counts)}. What stays is a line in the audit, without the address.`,
    );
  printResult(erased, tasks);
}

/** An interrupted run may have erased the message, but not its copies. */
async function assertThere({ store, audit }: Wired, references: readonly string[]): Promise<void> {
  for (const reference of references) {
    const isKnown =
      (await store.messages.get(reference)) ||
      (await store.privacy.listAudit(audit.ofMessage(reference))).length > 0;
    if (!isKnown) exitWithError(`There is no message ${reference}. Nothing was erased.`);
  }
}

function describePlan({ messages, mentions }: PersonalData): string {
  const others =
    mentions.length === 0
      ? ''
      : ` In ${formatCount(mentions.length, 'message')} of others the address becomes [erased]; --with REFERENCE erases one whole.`;
  return `Will go: ${formatCount(messages.length, 'message')}, with all else that is listed but files of yours and issues.${others}`;
}

function printResult({ activeLeases, settled, remaining, at }: Erased, tasks: readonly Task[]): void {
  for (const { where, what, references } of tasks) {
    printNote(`To do: ${where}: ${what}${references.length > 0 ? `: ${references.join(', ')}` : ''}.`);
  }
  if (activeLeases.length > 0) {
    const names = activeLeases.map(({ reference, receiver }) => `${reference} to the ${receiver}`);
    printNote(
      `Was being delivered and has not ended, so it may arrive yet: ${[...new Set(names)].join(', ')}. Say it again in a minute.`,
    );
  }
  if (settled.kind === 'sqlite' && !settled.isEmpty) {
    printError(
      'Somebody reads the database for long, such as a backup, so its log still holds what is gone. Say it again once that has ended.',
    );
  }
  const later = remaining.messages.filter(({ receivedAt }) => receivedAt > at).length;
  if (later > 0) printNote(`Arrived since this was begun, and kept: ${formatCount(later, 'message')}.`);
  for (const name of remaining.issues)
    printNote(`Your own words, which stay: the address is in the issue ${name}.`);
  for (const { kind, place } of remaining.copies) {
    if (kind === 'file')
      printError(`${place} is not ours to change, and holds the address or a message: see to it yourself.`);
  }
  const rest = remaining.messages.length + remaining.mentions.length - later;
  if (rest > 0)
    printError(`Not everything is gone: ${formatCount(rest, 'message')} still there. Say it again.`);
}
