import type { Grading } from '../audit/grade.ts';
import { describeContentError } from '../content/content-error.ts';
import { getGrading } from '../content/get-grading.ts';
import { readContent } from '../content/read-content.ts';

/** Titles are those of checks, and of faults that limit the grade. */
export type AuditContent = { grading: Grading; titles: Readonly<Record<string, string>> };

let cached: { folder: string; content: AuditContent } | undefined;

/** What the server needs of content/audit.yaml, read once for each build. */
export function getAuditContent(folder: string): AuditContent {
  if (cached?.folder !== folder) cached = { folder, content: selectContent(folder) };
  return cached.content;
}

/** While the content has errors, checks are shown by their ids. */
export function readCheckTitles(folder: string): AuditContent['titles'] {
  try {
    return getAuditContent(folder).titles;
  } catch {
    return {};
  }
}

function selectContent(folder: string): AuditContent {
  const { content, errors } = readContent(folder);
  if (!content) throw new Error(errors.map(describeContentError).join('\n'));
  const { groups, caps } = content.audit;
  const titled = [...Object.values(groups).map(({ checks }) => checks), caps].flatMap(Object.entries);
  return {
    titles: Object.fromEntries(titled.map(([id, { title }]) => [id, title])),
    grading: getGrading(content.audit),
  };
}
