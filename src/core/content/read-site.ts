import type { ContentOf, ContentPart, EntriesOf, ReadOptions } from './content-part.ts';
import { type ContentResult, readContent } from './read-content.ts';
import { findSwitchErrors, listSwitchedOff } from './switches.ts';

const nothing = { entries: [], errors: [], warnings: [] };

export type SiteResult<Parts extends readonly ContentPart[] = readonly ContentPart[]> = Partial<
  EntriesOf<Parts>
> &
  Pick<ContentResult<ContentOf<Parts>>, 'content' | 'errors' | 'warnings'>;

/** The content, and under its name what is in each folder; neither where an error prevents publishing. */
export function readSite<const Parts extends readonly ContentPart[]>(
  parts: Parts,
  folder: string,
  options: ReadOptions = {},
): SiteResult<Parts> {
  const { content, validFiles, errors, warnings } = readContent(parts, folder, options);
  const { brand, company } = validFiles;
  errors.push(...findSwitchErrors(parts, folder));
  const off = listSwitchedOff(folder);
  const site: Record<string, unknown> = { content };
  for (const { name: feature, files, folders = {} } of parts) {
    const isOff = off.includes(feature);
    const own = Object.keys(files).map(name => [name, (validFiles as Record<string, unknown>)[name]]);
    for (const [name, { read }] of Object.entries(folders)) {
      const source = { folder, facts: { brand, company }, files: Object.fromEntries(own) };
      const result = isOff ? nothing : read(source, options);
      site[name] = result.entries;
      errors.push(...result.errors);
      warnings.push(...result.warnings);
    }
  }
  const isComplete = Object.values(site).every(value => value !== undefined);
  return { ...(isComplete && site), errors, warnings } as SiteResult<Parts>;
}
