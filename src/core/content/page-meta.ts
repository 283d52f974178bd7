import type { ContentError } from './content-error.ts';
import { type ContentPart, listFiles, type ParsedFiles } from './content-part.ts';
import { valueAt } from './source-positions.ts';

export const maxTitleLength = 65;

/** Of a title as it is written: its page adds the company's name. */
export function getTitleLimit(companyName: string | undefined): number {
  return companyName ? Math.max(1, maxTitleLength - addCompanyName('', companyName).length) : maxTitleLength;
}

export function addCompanyName(title: string, companyName: string): string {
  return `${title} – ${companyName}`;
}

function describeLongTitle(title: unknown, companyName: string | undefined): string | undefined {
  const limit = getTitleLimit(companyName);
  return companyName && typeof title === 'string' && title.length > limit
    ? `is ${title.length} characters, limit ${limit}, because '${addCompanyName('', companyName)}' is added to it`
    : undefined;
}

export function findPageMetaErrors(
  parts: readonly ContentPart[],
  files: ParsedFiles,
  companyName: string | undefined,
): ContentError[] {
  const errors: ContentError[] = [];
  const seen: Record<string, Map<string, string>> = { title: new Map(), description: new Map() };
  const places = listFiles(parts).flatMap(({ path: file, pages = [] }) =>
    pages.map(path => ({ file, path })),
  );
  for (const { file, path } of places) {
    const parsed = files[file];
    if (!parsed) continue;
    const addError = (field: string, reason: string) =>
      errors.push({ file, line: parsed.lineAt([...path, field]), field, path: [...path, field], reason });
    const meta = valueAt(parsed.value, path) as Record<string, unknown> | undefined;
    for (const [field, others] of Object.entries(seen)) {
      const text = meta?.[field];
      if (typeof text !== 'string') continue;
      const other = others.get(text);
      if (other) addError(field, `is the same as in ${other}; each page needs its own`);
      else others.set(text, file);
    }
    const reason = path.length === 0 ? describeLongTitle(meta?.title, companyName) : undefined;
    if (reason) addError('title', reason);
  }
  for (const { findMetaErrors } of parts) errors.push(...(findMetaErrors?.(files, companyName) ?? []));
  return errors;
}
