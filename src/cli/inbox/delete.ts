import { eraseMessages, findMessagesToErase } from '../../domain/messages/erase-messages.ts';
import { buildPostgresCleanupTasks, listErasureTasks } from '../../domain/privacy/follow-up-tasks.ts';
import { summarizeMessage } from '../../domain/privacy/search-personal-data.ts';
import { listCopyTargets } from '../../server/copy-targets.ts';
import type { Services } from '../../server/wire.ts';
import { confirm, type Flags } from '../command.ts';
import { describeCounts, exitWithError, formatCount, printJson, printNote, printTable } from '../print.ts';
import { printRemains } from '../privacy/erase.ts';
import { describeState } from './list.ts';

type Values = Flags<'yes' | 'json'>;

/** For a person's request there is `npm run privacy -- erase`, which also finds what others wrote about them. */
export async function deleteAll(services: Services, given: string[], values: Values): Promise<void> {
  const { domainDeps } = services;
  const references = [...new Set(given)];
  const { messages, unknown } = await findMessagesToErase(domainDeps, references);
  if (unknown.length > 0)
    exitWithError(`no message with the reference ${unknown.join(', ')}. Nothing was deleted.`);
  if (!values.json)
    printTable(
      messages.map(row => ({
        ...{ reference: row.reference, received: row.received_at, state: describeState(row) },
        ...{ name: row.name, email: row.email, message: row.message },
      })),
    );
  const question = `Delete ${formatCount(references.length, 'message')} for good, with notes, deliveries and local copies?`;
  if (!(await confirm(question, values, 'Nothing was deleted'))) return;
  // Read again: a delivery may have been made while the question was open.
  const { deliveries } = await findMessagesToErase(domainDeps, references);
  const found = { messages: messages.map(summarizeMessage), mentions: [], deliveries, newsletter: undefined };
  const tasks = await listErasureTasks(domainDeps, listCopyTargets(services), found);
  const { copies, ...remains } = await eraseMessages(domainDeps, references);
  tasks.push(...buildPostgresCleanupTasks(remains.cleanup));
  const { activeLeases, cleanup: database } = remains;
  if (values.json) return printJson({ deleted: references, copies, activeLeases, tasks, database });
  const files = describeCounts(copies);
  printNote(
    `Deleted: ${formatCount(references.length, 'message')}${files && `, and in local copies ${files}`}`,
  );
  printRemains(remains, tasks);
}
