import type { Context } from 'hono';
import { compareLines } from '../../../core/content/editing/compare-lines.ts';
import type { UndoResult } from '../../../core/content/editing/save-changes.ts';
import { findNotice } from '../../../core/desk/answer.ts';
import { describeSaveFailure } from '../../../core/desk/describe-content-error.ts';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import type { OwnDeps } from '../own-deps.ts';
import { getFileTitle } from './file-titles.ts';
import type { DiffLine, HistoryEntry } from './words-types.ts';

const firstCount = 60;
const maxLines = 24;
const notices = {
  undone: 'The change is undone. That can be undone, too.',
  unchanged: 'There was nothing to undo: the file already has that text.',
};

export function addHistoryRoutes(app: DeskApp, { services, answer, editor }: OwnDeps): void {
  async function answerHistory(context: Context, failure?: string) {
    const now = services.domainDeps.clock.now();
    const count = Number(context.req.query('count')?.match(/^\d{1,5}$/)?.[0] ?? firstCount);
    const found = await editor.listChanges(count + 1);
    const changes = found.slice(0, count);
    const entries = changes.map(
      ({ id, at, summary, files }): HistoryEntry => ({
        id,
        summary,
        at: formatMoment(at, now),
        files: files.map(({ file, before, after }) => ({
          file,
          title: getFileTitle(file),
          ...showLines(before, after),
        })),
      }),
    );
    const notice = failure
      ? { notice: { kind: 'failed' as const, text: failure } }
      : findNotice(context, notices);
    const copies = changes.filter(({ isCommit }) => !isCommit).length;
    const hasOlder = found.length > count;
    const props = { changes: entries, hasOlder, usesGit: await editor.usesGit(), copies };
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

function showLines(
  before: Buffer | null,
  after: Buffer | null,
): { lines: DiffLine[]; isBinary: boolean; left: number } {
  if (before?.includes(0) || after?.includes(0)) return { lines: [], isBinary: true, left: 0 };
  const [first, second] = [before, after].map(content => content?.toString().trimEnd() ?? '') as [
    string,
    string,
  ];
  const lines = first.split('\n');
  const shown = compareLines(first, second).flatMap(({ start, end, lines: added }): DiffLine[] => [
    ...(start > 0 ? [{ kind: 'same' as const, text: lines[start - 1] ?? '' }] : []),
    ...lines.slice(start, end).map(text => ({ kind: 'removed' as const, text })),
    ...added.map(text => ({ kind: 'added' as const, text })),
  ]);
  return { lines: shown.slice(0, maxLines), isBinary: false, left: Math.max(shown.length - maxLines, 0) };
}
