import * as v from 'valibot';
import { actionsNeeding, type DepsOf, field, Refusal, reference } from '../../../core/action.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { describeTask, listProblems } from '../../privacy/actions/describe-erasure.ts';
import { listCopyTargets } from '../../privacy/copy-targets.ts';
import { describeCounts } from '../../privacy/describe-counts.ts';
import { buildPostgresCleanupTasks, listErasureTasks } from '../../privacy/follow-up-tasks.ts';
import { summarizeMessage } from '../../privacy/search-personal-data.ts';
import { eraseMessages, findMessagesToErase } from '../erase-messages.ts';
import { describeState } from './read-messages.ts';

type PlanNeeds = Parameters<typeof listCopyTargets>[0] & {
  domainDeps: DepsOf<typeof findMessagesToErase> & DepsOf<typeof listErasureTasks>;
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
      tasks: [...tasks, ...buildPostgresCleanupTasks(cleanup)],
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

export async function planDeletion(services: PlanNeeds, given: readonly string[]) {
  const { messages, deliveries, unknown } = await findMessagesToErase(services.domainDeps, [
    ...new Set(given),
  ]);
  const found = { messages: messages.map(summarizeMessage), mentions: [], deliveries, newsletter: undefined };
  const tasks = await listErasureTasks(services.domainDeps, listCopyTargets(services), found);
  return { messages, unknown, tasks };
}
