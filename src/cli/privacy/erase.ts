import { type Erased, erasePerson } from '../../domain/privacy/erase-person.ts';
import { type Findings, findPerson, isNothing } from '../../domain/privacy/find-person.ts';
import type { Wired } from '../../server/wire.ts';
import { complain } from '../complain.ts';
import { count, fail, note, print } from '../say.ts';
import { askYes, canAsk } from '../terminal.ts';
import { type Call, depsOf, readReference, readTrace, refuse } from './call.ts';
import { describeAudit, describeCounts, printFindings } from './describe.ts';
import { asJson } from './find.ts';
import { writeLeftoverTasks } from './leftovers.ts';
import {
  listCopiesOutside,
  type Task,
  writeBackupTask,
  writeDigestTask,
  writeLettersTask,
  writeTasks,
} from './tasks.ts';

/** Shows what will go, asks once, removes it everywhere it can reach, and says what it cannot. */
export async function erase(wired: Wired, { given: [address], values }: Call): Promise<void> {
  const trace = readTrace(address);
  const also = [...new Set((values.with ?? []).map(readReference))];
  if (!values.yes && !canAsk()) refuse('There is nobody here to ask: say --yes to erase.');
  const deps = depsOf(wired);
  await assertThere(wired, also);
  const found = await findPerson(deps, trace, also);
  const isEmpty = isNothing(found);
  if (!values.json) {
    printFindings(found, wired);
    for (const line of found.audit) note(describeAudit(line));
  }
  if (!isEmpty && !values.yes) {
    note(summary(found));
    if (!(await askYes('Erase all of this?'))) return fail('Nothing was erased.');
  }
  const outside = await listCopiesOutside(wired, found);
  const erased = await erasePerson(deps, trace, { also, found });
  const tasks = [
    ...writeTasks(outside, 'erase'),
    ...writeDigestTask(wired, found),
    ...writeLettersTask(wired, found),
    ...(isEmpty ? [] : [...writeLeftoverTasks(erased.settled), ...(await writeBackupTask(wired))]),
  ];
  if (isEmpty || !erased.isDone) process.exitCode = 1;
  if (values.json) return print(toJson(trace.address, erased, tasks, isEmpty));
  if (isEmpty) fail(`Nothing is known of ${trace.address} that could be erased.`);
  else
    note(`Erased: ${describeCounts(erased.counts)}. What stays is a line in the audit, without the address.`);
  tell(erased, tasks);
}

/** One that an earlier run has begun with may be gone already, and its copies not. */
async function assertThere({ store, audit }: Wired, references: readonly string[]): Promise<void> {
  for (const reference of references) {
    const isKnown =
      (await store.messages.get(reference)) ||
      (await store.privacy.listAudit(audit.ofMessage(reference))).length > 0;
    if (!isKnown) complain(`There is no message ${reference}. Nothing was erased.`);
  }
}

function summary({ messages, mentions }: Findings): string {
  const others =
    mentions.length === 0
      ? ''
      : ` In ${count(mentions.length, 'message')} of others the address becomes [erased]; --with REFERENCE erases one whole.`;
  return `Will go: ${count(messages.length, 'message')}, with all else that is listed but files of yours and issues.${others}`;
}

function tell({ underWay, settled, left, at }: Erased, tasks: readonly Task[]): void {
  for (const { where, what, references } of tasks) {
    note(`To do: ${where}: ${what}${references.length > 0 ? `: ${references.join(', ')}` : ''}.`);
  }
  if (underWay.length > 0) {
    const names = underWay.map(({ reference, receiver }) => `${reference} to the ${receiver}`);
    note(
      `Was being delivered and has not ended, so it may arrive yet: ${[...new Set(names)].join(', ')}. Say it again in a minute.`,
    );
  }
  if (settled.kind === 'sqlite' && !settled.isEmpty) {
    fail(
      'Somebody reads the database for long, such as a backup, so its log still holds what is gone. Say it again once that has ended.',
    );
  }
  const later = left.messages.filter(({ receivedAt }) => receivedAt > at).length;
  if (later > 0) note(`Arrived since this was begun, and kept: ${count(later, 'message')}.`);
  for (const name of left.issues) note(`Your own words, which stay: the address is in the issue ${name}.`);
  for (const { kind, place } of left.copies) {
    if (kind === 'file') fail(`${place} is none of our files, and holds the address: see to it yourself.`);
  }
  const rest = left.messages.length + left.mentions.length - later;
  if (rest > 0) fail(`Not everything is gone: ${count(rest, 'message')} still there. Say it again.`);
}

function toJson(
  address: string,
  { at, counts, underWay, settled, left, isDone }: Erased,
  tasks: Task[],
  isEmpty: boolean,
) {
  return {
    address,
    isKnown: !isEmpty,
    isDone: isDone && !isEmpty,
    at,
    counts,
    tasks,
    underWay,
    database: settled,
    left: asJson(left),
  };
}
