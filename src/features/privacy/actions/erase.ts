import * as v from 'valibot';
import { actionsNeeding, type DepsOf, field, Refusal, reference } from '../../../core/action.ts';
import {
  describeTask,
  listBackupTasks,
  listPostgresTasks,
  listProblems,
} from '../../../core/follow-up-tasks.ts';
import type { Task } from '../../../core/personal-data.ts';
import { describeCounts } from '../../../lib/describe-counts.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { erasePerson } from '../erase-person.ts';
import { findUnknownReferences } from '../find-unknown-references.ts';
import { countFound, type FoundPerson, isNothingFound, searchPersonalData } from '../search-personal-data.ts';
import { address, describeFindings, findingsToJson } from './find-person.ts';

type TaskDeps = DepsOf<typeof listBackupTasks>;

const defineAction = actionsNeeding<{
  domainDeps: DepsOf<typeof findUnknownReferences | typeof erasePerson> & TaskDeps;
  config: { dataDir: string };
}>();

/** Read before the erasure, which removes the deliveries that name the receivers. */
export async function listErasureTasks(deps: TaskDeps, { parts }: FoundPerson): Promise<Task[]> {
  const lists = await Promise.all(parts.map(part => part.listErasureTasks()));
  const tasks = new Map(lists.flat().map(task => [JSON.stringify(task), task]));
  return [...tasks.values(), ...(await listBackupTasks(deps))];
}

export const erase = defineAction({
  name: 'erase',
  about: 'erase the data from the database and local copies',
  examples: ['zoe@example.com'],
  input: v.object({
    address,
    with: field(
      '--with <reference>',
      'also erase this message; repeatable',
      v.optional(v.array(reference), []),
    ),
  }),
  async confirm({ domainDeps, config }, { address: matcher, with: references }) {
    const unknown = await findUnknownReferences(domainDeps, references);
    if (unknown.length > 0)
      throw new Refusal(`no message with the reference ${unknown.join(', ')}. Nothing was erased.`);
    const found = await searchPersonalData(domainDeps, matcher, references);
    const { messages = 0, mentions = 0 } = countFound(found);
    const isEmpty = isNothingFound(found);
    return {
      shows: [
        ...describeFindings(found, config.dataDir),
        !isEmpty &&
          `To be erased: ${formatCount(messages, 'message')} and everything else listed, except newsletter issues and your own files.`,
        mentions > 0 &&
          `In ${formatCount(mentions, 'message')} of other people the address is replaced by [erased]; --with REFERENCE erases such a message as well.`,
      ],
      text: isEmpty ? undefined : 'Erase all of this?',
      otherwise: 'Nothing was erased',
    };
  },
  /** Searched again: a delivery may have been made while the question was open. */
  async run({ domainDeps }, { address: matcher, with: given }) {
    const extraReferences = [...new Set(given)];
    const found = await searchPersonalData(domainDeps, matcher, extraReferences);
    const isKnown = !isNothingFound(found);
    const tasks = isKnown ? await listErasureTasks(domainDeps, found) : [];
    const erased = await erasePerson(domainDeps, matcher, { extraReferences, found });
    const { remaining, at, counts, cleanup } = erased;
    const later = remaining.parts.flatMap(part => part.select(at).laterReferences ?? []).length;
    const { messages = 0, mentions = 0 } = countFound(remaining);
    const left = messages + mentions - later;
    return {
      isKnown,
      erased,
      later,
      tasks: isKnown ? [...tasks, ...listPostgresTasks(cleanup)] : [],
      done: `Erased: ${describeCounts(counts) || 'nothing'}.`,
      problems: [
        ...(left > 0 ? [`${formatCount(left, 'message')} could not be erased. Repeat this.`] : []),
        ...listProblems(erased),
      ],
      kept: remaining.parts.flatMap(part => part.kept ?? []),
      ownFiles: remaining.copies.filter(({ kind }) => kind === 'unmanaged file').map(({ path }) => path),
    };
  },
  print: ({ isKnown, later, tasks, done, problems, kept, ownFiles }, { address: matcher }) => [
    isKnown
      ? `${done} An entry of the erasure log without the address remains.`
      : { error: `no data to erase for ${matcher.address}` },
    ...tasks.map(describeTask),
    later > 0 && `Received meanwhile and not erased: ${formatCount(later, 'message')}`,
    ...kept.map(what => `Not changed: the ${what} contains the address.`),
    ...ownFiles.map(path => ({
      error: `${path} contains the address or a message, and is not changed by this command: edit or delete it yourself`,
    })),
    ...problems.map(error => ({ error })),
  ],
  json: ({ isKnown, tasks, erased }, { address: { address } }) => {
    const { isDone, cleanup: database, remaining, ...rest } = erased;
    const answer = { isKnown, isDone: isDone && isKnown, ...rest, tasks, database };
    return { address, ...answer, remaining: findingsToJson(remaining) };
  },
  exitCode: ({ isKnown, erased }) => Number(!isKnown || !erased.isDone),
});
