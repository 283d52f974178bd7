import { compareLines } from '../../../core/content/editing/compare-lines.ts';
import type { ContentEditor } from '../../../core/content/editing/save-changes.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { getFileTitle } from './file-titles.ts';

const maxLines = 24;

/** The newest changes. `copies`: how many of them are no commits. */
export async function buildHistoryProps(editor: ContentEditor, count: number, now: Date) {
  const found = await editor.listChanges(count + 1);
  const changes = found.slice(0, count);
  return {
    changes: changes.map(({ id, at, summary, files }) => ({
      id,
      summary,
      at: formatMoment(at, now),
      files: files.map(({ file, before, after }) => ({
        file,
        title: getFileTitle(file),
        ...showLines(before, after),
      })),
    })),
    hasOlder: found.length > count,
    usesGit: await editor.usesGit(),
    copies: changes.filter(({ isCommit }) => !isCommit).length,
  };
}

type DiffLine = { kind: 'same' | 'removed' | 'added'; text: string };

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
