import { join } from 'node:path';
import type { Context } from 'hono';
import * as v from 'valibot';
import type { ContentError } from '../../../core/content/content-error.ts';
import { hashText } from '../../../core/content/editing/edit-file.ts';
import { openFile } from '../../../core/content/editing/open-file.ts';
import { planEdit } from '../../../core/content/editing/plan-change.ts';
import { readRemarks } from '../../../core/content/editing/read-remarks.ts';
import type { SaveResult } from '../../../core/content/editing/save-changes.ts';
import { readTextFile } from '../../../core/content/text-file.ts';
import { findNotice } from '../../../core/desk/answer.ts';
import { describeSyntaxError } from '../../../core/desk/describe-content-error.ts';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import { contentParts } from '../../../features.content.ts';
import { readSite } from '../../content.ts';
import type { Areas } from '../areas.ts';
import type { OwnDeps } from '../own-deps.ts';
import { getFileTitle, listFileGroups } from './file-titles.ts';
import { addHistoryRoutes } from './history-routes.ts';
import type { FieldError, SaveAnswer } from './words-types.ts';

const saveBody = v.object({
  fields: v.record(v.string(), v.unknown()),
  origins: v.optional(
    v.record(v.string(), v.array(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))))),
  ),
  hash: v.string(),
});

export function addWordsRoutes(app: DeskApp, deps: OwnDeps, areas: Areas): void {
  const { root, answer, editor } = deps;
  const folder = join(root, 'content');

  app.get('/words', context => {
    const { errors } = readSite(folder, { isPreview: true });
    const describe = (file: string) => {
      const { text = '' } = readTextFile(join(folder, file));
      const [about = ''] = readRemarks(file, text).about.split(/(?<=[.!?]) /);
      return {
        file,
        title: getFileTitle(file),
        about,
        errors: errors.filter(error => error.file === file).length,
      };
    };
    const groups = listFileGroups(areas.isOn).map(({ title, files }) => ({
      title,
      files: files.map(describe),
    }));
    const links = areas.listOn().flatMap(area => area.listWordsLinks?.(deps) ?? []);
    const page = { view: 'words/list', title: 'Words and pictures', area: 'words' } as const;
    return answer(context, { ...page, props: { groups, links } });
  });

  app.get('/words/edit', context => {
    const file = context.req.query('file') ?? '';
    const result = openFile(contentParts, folder, file);
    if (!result.opened) return answerUnreadable(context, deps, file, result.error);
    const { title } = result.opened.fields;
    const name = file.startsWith('blog/') ? String(title ?? file) : getFileTitle(file);
    return answer(context, {
      view: 'words/editor',
      title: name,
      area: 'words',
      ...findNotice(context, {
        created: 'The draft is saved. It is not on the site until you say so.',
      }),
      props: { file, ...result.opened },
    });
  });

  app.post('/words/edit', async context => {
    const file = context.req.query('file') ?? '';
    const body = v.safeParse(saveBody, await context.req.json().catch(() => undefined));
    if (!openFile(contentParts, folder, file).opened || !body.success) return context.json(failed, 422);
    const plan = planEdit(contentParts, folder, { file, ...body.output });
    const result = await editor.save(plan);
    return context.json(toAnswer(plan, file, result), result.state === 'refused' ? 422 : 200);
  });

  function toAnswer(
    { file, changes }: ReturnType<typeof planEdit>,
    opened: string,
    result: SaveResult,
  ): SaveAnswer {
    if (result.state === 'failed') return { state: 'failed', reason: result.reason };
    if (result.state === 'refused')
      return { state: 'refused', errors: result.errors.map(error => toError(error, file)) };
    const isChanged = result.state === 'changed-meanwhile';
    const now = openFile(contentParts, folder, isChanged ? opened : file).opened;
    if (!now) return { state: 'failed', reason: 'The file on disk can no longer be read as a form.' };
    const { remarks, fields } = now;
    if (isChanged) return { state: 'changed-meanwhile', hash: now.hash, fields };
    // Of what was saved: another program may have written since.
    const hash = hashText(changes.get(file) ?? undefined);
    return {
      state: 'saved',
      file,
      hash,
      remarks,
      draftErrors: result.draftErrors.map(error => toError(error, file)),
    };
  }

  addHistoryRoutes(app, deps);
}

const failed: SaveAnswer = {
  state: 'failed',
  reason: 'The file is missing, or can no longer be read as a form.',
};

function toError({ file, path, field, reason }: ContentError, openedFile?: string): FieldError {
  const isHere = file === openedFile;
  return { path: isHere ? (path ?? []).join('/') : '', file, fileTitle: getFileTitle(file), field, reason };
}

function answerUnreadable(
  context: Context,
  { answer }: OwnDeps,
  file: string,
  error: ContentError | undefined,
) {
  const link = { text: 'To all words and pictures', path: '/words' };
  const text = error ? describeSyntaxError(error) : 'There is no such file of words.';
  const title = error ? `${getFileTitle(file)} cannot be opened` : 'There is no such page';
  return answer(context, { view: 'problem', title, area: 'words', props: { text, link } }, error ? 422 : 404);
}
