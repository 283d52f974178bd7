import * as v from 'valibot';
import { actionsNeeding, type DepsOf, field, Refusal, reference } from '../../../core/action.ts';
import {
  describeTask,
  listBackupTasks,
  listPostgresTasks,
  listProblems,
} from '../../../core/follow-up-tasks.ts';
import type { CopyTargets } from '../../../core/personal-data.ts';
import { describeCounts } from '../../../lib/describe-counts.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { eraseMessages, findMessagesToErase } from '../erase-messages.ts';
import { listErasureTasks } from '../follow-up-tasks.ts';
import { describeState } from './read-messages.ts';

type PlanNeeds = {
  domainDeps: DepsOf<typeof findMessagesToErase | typeof listErasureTasks | typeof listBackupTasks> & {
    copyTargets: CopyTargets;
  };
};

const defineAction = actionsNeeding<PlanNeeds & { domainDeps: DepsOf<typeof eraseMessages> }>();

/** For a person's request there is `npm run privacy -- erase`, which also finds what others wrote about them. */
export const deleteMessages = defineAction({
  name: 'delete',
  about: 'delete messages for good, with notes, deliveries and local copies',
  examples: ['7X4QM-2KD9A'],
  input: v.object({ references: field('<reference...>', 'references of messages', v.array(reference)) }),
  async confirm(services, { references }) {
    const { messages, unknown } = await planDeletion(services, references);
    if (unknown.length > 0)
      throw new Refusal(`no message with the reference ${unknown.join(', ')}. Nothing was deleted.`);
    return {
      shows: [
        messages.map(row => ({
          reference: row.reference,
          received: row.received_at,
          state: describeState(row),
          name: row.name,
          email: row.email,
          message: row.message,
        })),
      ],
      text: `Delete ${formatCount(messages.length, 'message')} for good, with notes, deliveries and local copies?`,
      otherwise: 'Nothing was deleted',
    };
  },
  /** Planned again: a delivery may have been made while the question was open. */
  async run(services, input) {
    const { messages, tasks, unknown } = await planDeletion(services, input.references);
    const deleted = messages.map(({ reference }) => reference);
    if (deleted.length === 0) throw new Refusal('these messages are deleted already');
    const { copies, ...remains } = await eraseMessages(services.domainDeps, deleted);
    const { activeLeases, cleanup } = remains;
    return {
      deleted,
      unknown,
      copies,
      activeLeases,
      database: cleanup,
      problems: listProblems(remains, { isRepeatable: false }),
      tasks: [...tasks, ...listPostgresTasks(cleanup)],
    };
  },
  print({ deleted, copies, tasks, problems }) {
    const files = describeCounts(copies);
    return [
      `Deleted: ${formatCount(deleted.length, 'message')}${files && `, and in local copies ${files}`}`,
      ...tasks.map(describeTask),
      ...problems.map(error => ({ error })),
    ];
  },
  json: ({ problems: _, unknown: __, ...result }) => result,
});

export async function planDeletion({ domainDeps }: PlanNeeds, given: readonly string[]) {
  const { messages, deliveries, unknown } = await findMessagesToErase(domainDeps, [...new Set(given)]);
  const found = { messages, mentions: [], deliveries };
  const tasks = [
    ...(await listErasureTasks(domainDeps, domainDeps.copyTargets, found)),
    ...(await listBackupTasks(domainDeps)),
  ];
  return { messages, unknown, tasks };
}
