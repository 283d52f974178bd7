import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'hono';
import { editFile, hashText, readFields } from '../../../core/content/editing/edit-file.ts';
import { facts } from '../../../core/content/facts.ts';
import { findNotice } from '../../../core/desk/answer.ts';
import { describeSaveFailure } from '../../../core/desk/describe-content-error.ts';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import type { Notice } from '../../../core/desk/page.ts';
import type { OwnDeps } from '../own-deps.ts';
import type { BrandProps } from './words-types.ts';

const file = facts.files.brand.path;
const notices = { saved: 'The colours are saved. Publish the site to show them to visitors.' };

export function addBrandRoutes(app: DeskApp, { answer, root, editor }: OwnDeps): void {
  const path = join(root, 'content', file);

  function show(context: Context, props: BrandProps, notice: { notice?: Notice }, status: 200 | 422 = 200) {
    const page = { view: 'words/brand', title: 'Colours', area: 'words', props, ...notice } as const;
    return answer(context, page, status);
  }

  function read(): BrandProps | undefined {
    const text = readFileSync(path, 'utf8');
    const { colours, ...fields } = readFields(file, text) ?? {};
    return isColours(colours) ? { colours, fields, hash: hashText(text) } : undefined;
  }

  app.get('/words/brand', context => {
    const props = read();
    return props ? show(context, props, findNotice(context, notices)) : answer(context, unreadable, 409);
  });

  app.post('/words/brand', async context => {
    const before = read();
    if (!before) return answer(context, unreadable, 409);
    const typed = await context.req.parseBody();
    const colours = Object.fromEntries(
      Object.entries(before.colours).map(([theme, written]) => [
        theme,
        Object.fromEntries(
          Object.entries(written).map(([name, value]) => [
            name,
            String(typed[`${theme}.${name}`] ?? value).trim(),
          ]),
        ),
      ]),
    );
    const text = editFile(file, readFileSync(path, 'utf8'), { ...before.fields, colours });
    const hash = String(typed.hash ?? '');
    const changes = new Map([[file, text]]);
    const result = await editor.save({ changes, hashes: { [file]: hash }, summary: 'Change the colours' });
    const error = describeSaveFailure(result);
    if (!error) return context.redirect('/words/brand?done=saved', 303);
    const notice: Notice = { kind: 'failed', text: 'The colours are not saved.' };
    return show(context, { ...before, colours, hash, error }, { notice }, 422);
  });
}

const unreadable = {
  view: 'problem',
  title: 'The colours cannot be shown',
  area: 'words',
  props: {
    text: 'content/brand/brand.yaml has an error that has to be corrected in the file itself.',
    link: { text: 'What the error is', path: '/words/publish' },
  },
} as const;

function isColours(value: unknown): value is BrandProps['colours'] {
  const isGroup = (one: unknown) => typeof one === 'object' && one !== null;
  return isGroup(value) && Object.values(value as object).every(isGroup);
}
