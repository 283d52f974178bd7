import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import * as v from 'valibot';
import { readContent } from '../../../core/content/read-content.ts';
import type { DeskApp, DeskDeps } from '../../../core/desk/desk-deps.ts';
import { siteContent } from '../../site/index.ts';
import { note } from '../actions/change-messages.ts';
import { exportMessages } from '../actions/read-messages.ts';
import { changeMessages, isChange } from './change-messages.ts';
import { addDeleteRoutes } from './delete-routes.ts';
import { parseListFilter, toFilters, toQuery } from './list-filter.ts';
import { buildListProps, messagesPath } from './list-props.ts';
import { buildMessageProps } from './message-props.ts';
import type { MessageDeskNeeds } from './needs.ts';
import { readNotice, toResult } from './notices.ts';
import type { MessagePages } from './props.ts';
import { readQuery, readReferences } from './read-form.ts';
import { addReleaseRoutes } from './release-routes.ts';

export const onePath = `${messagesPath}/:reference{[0-9A-Za-z]{5}-[0-9A-Za-z]{5}}` as const;

type MessageDeskDeps = DeskDeps<MessageDeskNeeds, MessagePages>;

export function addMessageRoutes(app: DeskApp, deps: MessageDeskDeps): void {
  const { services, answer, root } = deps;
  const content = join(root, 'content');
  const findServiceNames = createServiceNames(content);

  app.get(messagesPath, async context => {
    const query = readQuery(context);
    const filter = parseListFilter(query, 'new');
    const props = await buildListProps(services, filter, findServiceNames());
    if (!props) return context.redirect(`${messagesPath}?${toQuery({ ...filter, before: '' })}`, 303);
    const page = { view: 'messages/list', title: 'Messages', area: 'messages', props } as const;
    return answer(context, { ...page, ...readNotice(query) });
  });

  app.get(`${messagesPath}/:file{export\\.(?:csv|json)}`, async context => {
    const format = context.req.path.endsWith('csv') ? 'csv' : 'json';
    const filter = parseListFilter(readQuery(context), 'new');
    const formats = { csv: format === 'csv', json: format === 'json' };
    const input = { ...toFilters(filter), ...formats, file: '-', force: false };
    const { parts } = await exportMessages.run(services, input);
    const name = `messages-${filter.state}-${services.clock.now().toISOString().slice(0, 10)}.${format}`;
    return context.body(Readable.toWeb(Readable.from(encode(parts))) as ReadableStream, 200, {
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    });
  });

  /** One message or many, from the list or from a message's own page. */
  app.post(`${messagesPath}/change`, async context => {
    const form = await context.req.formData();
    const name = String(form.get('change') ?? '');
    const references = readReferences(form);
    const filter = parseListFilter(new URLSearchParams(String(form.get('list') ?? '')), 'new');
    if (!isChange(name)) return context.notFound();
    const counts = await changeMessages(services, name, references);
    const isOne = form.get('from') === 'message' && references.length === 1;
    if (isOne && counts.gone > 0) return answerUnknown(context, answer);
    const path = isOne ? `${messagesPath}/${references[0]}` : messagesPath;
    return context.redirect(`${path}?${toQuery(filter)}&${toResult(name, counts)}`, 303);
  });

  app.get(onePath, async context => {
    const query = readQuery(context);
    const props = await buildMessageProps(services, context.req.param('reference').toUpperCase(), {
      filter: parseListFilter(query, 'all'),
      content,
    });
    if (!props) return answerUnknown(context, answer);
    const page = { view: 'messages/message', title: `Message from ${props.sender}`, props } as const;
    return answer(context, { ...page, area: 'messages', ...readNotice(query) });
  });

  addNoteRoute(app, deps, content);
  addDeleteRoutes(app, deps);
  addReleaseRoutes(app, deps);
}

function addNoteRoute(
  app: DeskApp,
  { services, answer }: Pick<MessageDeskDeps, 'services' | 'answer'>,
  content: string,
): void {
  app.post(`${onePath}/notes`, async context => {
    const reference = context.req.param('reference').toUpperCase();
    const form = await context.req.formData();
    const filter = parseListFilter(new URLSearchParams(String(form.get('list') ?? '')), 'all');
    const given = String(form.get('note') ?? '');
    const input = v.safeParse(note.input, { reference, text: [given] });
    if (!input.success) return refuse(input.issues[0].message, 422);
    try {
      if (!(await note.run(services, input.output))) return answerUnknown(context, answer);
    } catch (thrown) {
      return refuse(`Not saved: ${(thrown as Error).message}.`, 500);
    }
    const done = toResult('note', { changed: 1 });
    return context.redirect(`${messagesPath}/${reference}?${toQuery(filter)}&${done}`, 303);

    async function refuse(noteError: string, status: 422 | 500): Promise<Response> {
      const refused = { noteText: given, noteError };
      const props = await buildMessageProps(services, reference, { filter, content, note: refused });
      if (!props) return answerUnknown(context, answer);
      const page = { view: 'messages/message', title: `Message from ${props.sender}`, props } as const;
      return answer(context, { ...page, area: 'messages' }, status);
    }
  });
}

function answerUnknown(context: Context, answer: MessageDeskDeps['answer']): Response {
  const link = { text: 'To the messages', path: messagesPath };
  const props = { text: 'It may have been deleted, here or by another desk or command.', link };
  return answer(
    context,
    { view: 'problem', title: 'There is no such message', area: 'messages', props },
    404,
  );
}

/** Reading content/ takes a moment. */
function createServiceNames(content: string): () => string[] {
  let known: { at: number; names: string[] } | undefined;
  return () => {
    const at =
      statSync(join(content, siteContent.files.services.path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (known?.at !== at) known = { at, names: readServiceNames(content) };
    return known.names;
  };
}

async function* encode(parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const part of parts) yield Buffer.from(part);
}

/** What a visitor can choose in the contact form; none while the file has errors. */
function readServiceNames(content: string): string[] {
  const page = readContent([siteContent], content).validFiles.services;
  if (!page) return [];
  const { services, engagements, solutions } = page;
  const names = [...services, ...engagements.items, ...solutions.items].map(({ name }) => name);
  return [...new Set(names)];
}
