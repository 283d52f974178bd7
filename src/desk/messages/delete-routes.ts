import {
  type ErasedMessages,
  eraseMessages,
  findMessagesToErase,
} from '../../domain/messages/erase-messages.ts';
import { buildPostgresCleanupTasks, listErasureTasks } from '../../domain/privacy/follow-up-tasks.ts';
import { summarizeMessage } from '../../domain/privacy/search-personal-data.ts';
import { listCopyTargets } from '../../server/copy-targets.ts';
import type { DeskApp, DeskDeps } from '../desk-deps.ts';
import { createHeldValues } from '../held-values.ts';
import { createSingleFlight } from '../single-flight.ts';
import { parseListFilter, toQuery } from './list-filter.ts';
import { describeRow, messagesPath } from './list-props.ts';
import { toResult } from './notices.ts';
import type { DeletedProps } from './props.ts';
import { readQuery, readReferences } from './read-form.ts';

export function addDeleteRoutes(app: DeskApp, { services, answer }: DeskDeps): void {
  const { domainDeps, clock } = services;
  const path = `${messagesPath}/delete`;
  const outcomes = createHeldValues<DeletedProps>();
  const deletions = createSingleFlight<string>();

  app.get(path, async context => {
    const fields = readQuery(context);
    const references = readReferences(fields);
    const { query, listPath } = readList(fields);
    const { messages, tasks, unknown } = await findAll(references);
    if (messages.length === 0)
      return context.redirect(`${listPath}&${toResult('delete', { gone: unknown.length || 1 })}`, 303);
    const props = {
      messages: messages.map(row => describeRow(row, clock.now())),
      ...{ tasks, unknown: unknown.length, query, listPath },
    };
    const title = messages.length === 1 ? 'Delete this message?' : `Delete ${messages.length} messages?`;
    return answer(context, { view: 'messages/delete', title, area: 'messages', props });
  });

  app.post(path, async context => {
    const form = await context.req.formData();
    const { listPath } = readList(new URLSearchParams({ list: String(form.get('list') ?? '') }));
    const references = readReferences(form);
    const key = references.toSorted().join(' ');
    return context.redirect(await deletions.run(key, () => deleteAll(key, references, listPath)), 303);
  });

  /** Returns the path of the page that says what was done. */
  async function deleteAll(key: string, references: string[], listPath: string): Promise<string> {
    // Read again: a delivery may have been made while the question was open.
    const { messages, tasks, unknown } = await findAll(references);
    const result = `${listPath}&${toResult('delete', { changed: messages.length, gone: unknown.length })}`;
    if (messages.length === 0) return deletions.findLast(key) ?? result;
    const erased = await eraseMessages(
      domainDeps,
      messages.map(({ reference }) => reference),
    );
    tasks.push(...buildPostgresCleanupTasks(erased.cleanup));
    const problems = listProblems(erased);
    if (tasks.length + problems.length === 0) return result;
    const id = outcomes.add({ count: messages.length, problems, tasks, listPath });
    return `${messagesPath}/deleted/${id}`;
  }

  app.get(`${messagesPath}/deleted/:id`, context => {
    const props = outcomes.get(context.req.param('id'));
    if (!props) return context.redirect(messagesPath, 303);
    return answer(context, { view: 'messages/deleted', title: 'Deleted', area: 'messages', props });
  });

  async function findAll(references: readonly string[]) {
    const { messages, deliveries, unknown } = await findMessagesToErase(domainDeps, references);
    const found = {
      messages: messages.map(summarizeMessage),
      mentions: [],
      deliveries,
      newsletter: undefined,
    };
    const tasks = await listErasureTasks(domainDeps, listCopyTargets(services), found);
    return { messages, unknown, tasks };
  }
}

function readList(fields: URLSearchParams): { query: string; listPath: string } {
  const query = toQuery(parseListFilter(new URLSearchParams(fields.get('list') ?? ''), 'new'));
  return { query, listPath: `${messagesPath}?${query}` };
}

function listProblems({ activeLeases, cleanup }: ErasedMessages): string[] {
  const sending = [...new Set(activeLeases.map(({ reference, receiver }) => `${reference} to ${receiver}`))];
  return [
    ...(sending.length > 0
      ? [`Being delivered at this moment, so a copy may arrive: ${sending.join(', ')}.`]
      : []),
    ...(cleanup.kind === 'sqlite' && !cleanup.isClean
      ? ['A long read, such as a backup, still holds the deleted data. It is gone when that has ended.']
      : []),
  ];
}
