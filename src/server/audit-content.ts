import { describeContentError } from '../content/content-error.ts';
import { readContent } from '../content/read-content.ts';

type Titles = Readonly<Record<string, string>>;

let cached: { folder: string; titles: Titles } | undefined;

/** Of the checks, by their ids, read once for each build. While the content has errors, checks are shown by their ids. */
export function readCheckTitles(folder: string): Titles {
  try {
    if (cached?.folder !== folder) cached = { folder, titles: selectTitles(folder) };
    return cached.titles;
  } catch {
    return {};
  }
}

function selectTitles(folder: string): Titles {
  const { content, errors } = readContent(folder);
  if (!content) throw new Error(errors.map(describeContentError).join('\n'));
  const checks = Object.values(content.audit.groups).flatMap(group => Object.entries(group.checks));
  return Object.fromEntries(checks.map(([id, { title }]) => [id, title]));
}
