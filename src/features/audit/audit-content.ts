import { describeContentError } from '../../core/content/content-error.ts';
import { readContent } from '../../core/content/read-content.ts';
import { auditContent } from './content.ts';

type Titles = Readonly<Record<string, string>>;

let cached: { folder: string; titles: Titles } | undefined;

/** Of the checks, and of the faults that limit a grade, by their ids, read once for each build. While the content has errors, ids are shown. */
export function readCheckTitles(folder: string): Titles {
  try {
    if (cached?.folder !== folder) cached = { folder, titles: selectTitles(folder) };
    return cached.titles;
  } catch {
    return {};
  }
}

function selectTitles(folder: string): Titles {
  const { content, errors } = readContent([auditContent], folder);
  if (!content) throw new Error(errors.map(describeContentError).join('\n'));
  const { groups, caps } = content.audit;
  const titled = [...Object.values(groups).map(({ checks }) => checks), caps].flatMap(Object.entries);
  return Object.fromEntries(titled.map(([id, { title }]) => [id, title]));
}
