import type { DeskApp, DeskDeps } from '../../../core/desk/desk-deps.ts';
import { createHeldValues } from '../../../core/desk/held-values.ts';
import { createSingleFlight } from '../../../core/desk/single-flight.ts';
import { deleteMessages, planDeletion } from '../actions/delete-messages.ts';
import { parseListFilter, toQuery } from './list-filter.ts';
import { describeRow, messagesPath } from './list-props.ts';
import type { MessageDeskNeeds } from './needs.ts';
import { toResult } from './notices.ts';
import type { DeletedProps, MessagePages } from './props.ts';
import { readQuery, readReferences } from './read-form.ts';

export function addDeleteRoutes(
  app: DeskApp,
  { services, answer }: DeskDeps<MessageDeskNeeds, MessagePages>,
): void {
  const { clock } = services;
  const path = `${messagesPath}/delete`;
  const outcomes = createHeldValues<DeletedProps>();
  const deletions = createSingleFlight<string>();

  app.get(path, async context => {
    const fields = readQuery(context);
    const references = readReferences(fields);
    const { query, listPath } = readList(fields);
    const { messages, tasks, unknown } = await planDeletion(services, references);
    if (messages.length === 0)
      return context.redirect(`${listPath}&${toResult('delete', { gone: unknown.length || 1 })}`, 303);
    const props = {
      messages: messages.map(row => describeRow(row, clock.now())),
      tasks,
      unknown: unknown.length,
      query,
      listPath,
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
    const { messages, unknown } = await planDeletion(services, references);
    const result = `${listPath}&${toResult('delete', { changed: messages.length, gone: unknown.length })}`;
    if (messages.length === 0) return deletions.findLast(key) ?? result;
    const { deleted, problems, tasks } = await deleteMessages.run(services, { references });
    if (tasks.length + problems.length === 0) return result;
    const id = outcomes.add({ count: deleted.length, problems, tasks, listPath });
    return `${messagesPath}/deleted/${id}`;
  }

  app.get(`${messagesPath}/deleted/:id`, context => {
    const props = outcomes.get(context.req.param('id'));
    if (!props) return context.redirect(messagesPath, 303);
    return answer(context, { view: 'messages/deleted', title: 'Deleted', area: 'messages', props });
  });
}

function readList(fields: URLSearchParams): { query: string; listPath: string } {
  const query = toQuery(parseListFilter(new URLSearchParams(fields.get('list') ?? ''), 'new'));
  return { query, listPath: `${messagesPath}?${query}` };
}
