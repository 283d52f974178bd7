import type { Context } from 'hono';
import type { UndoResult } from '../../../core/content/editing/save-changes.ts';
import { findNotice } from '../../../core/desk/answer.ts';
import { describeSaveFailure } from '../../../core/desk/describe-content-error.ts';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import type { OwnDeps } from '../own-deps.ts';
import { buildHistoryProps } from './history-props.ts';

const firstCount = 60;
const notices = {
  undone: 'The change is undone. That can be undone, too.',
  unchanged: 'There was nothing to undo: the file already has that text.',
};

export function addHistoryRoutes(app: DeskApp, { services, answer, editor }: OwnDeps): void {
  async function answerHistory(context: Context, failure?: string) {
    const now = services.domainDeps.clock.now();
    const count = Number(context.req.query('count')?.match(/^\d{1,5}$/)?.[0] ?? firstCount);
    const notice = failure
      ? { notice: { kind: 'failed' as const, text: failure } }
      : findNotice(context, notices);
    const props = await buildHistoryProps(editor, count, now);
    const page = { view: 'words/history', title: 'History', area: 'words', props, ...notice } as const;
    return answer(context, page, failure ? 409 : 200);
  }

  app.get('/words/history', context => answerHistory(context));

  app.post('/words/undo', async context => {
    const { id } = await context.req.parseBody();
    const result = await editor.undo(String(id));
    if (result.state === 'saved') return context.redirect('/words/history?done=undone', 303);
    if (result.state === 'unchanged') return context.redirect('/words/history?done=unchanged', 303);
    return answerHistory(context, describeUndo(result));
  });
}

function describeUndo(result: UndoResult): string | undefined {
  if (result.state === 'unknown') return 'This change is no longer in the history.';
  if (result.state === 'changed-again')
    return 'The same lines were changed again later. Undo the later change first.';
  return describeSaveFailure(result);
}
