import { type HeaderSettings, headersFor, speculationRulesPath } from '../../core/http/headers.ts';
import { type FileEntry, getContentType, withStyles } from '../../core/http/static-files.ts';

export const headersFile = '_headers';

/** Hosts merge the headers of all rules that match a path, so no two rules may set the same header. */
export function formatHeadersFile(entries: FileEntry[], common: HeaderSettings): string {
  const settings = withStyles(common, entries);
  const shared = Object.entries(headersFor('page', settings)).filter(([name, value]) =>
    entries.every(({ kind }) => headersFor(kind, settings)[name] === value),
  );
  const names = shared.map(([name]) => name);
  const used = groups.filter(group => entries.some(entry => isInGroup(group, entry)));
  // Shared headers come first, so that a host that cuts the file off still reads them.
  const rules = new Map([
    ['/*', shared],
    ...used.map(({ pattern }): [string, typeof shared] => [pattern, []]),
  ]);
  for (const entry of entries) {
    const { path, kind } = entry;
    const group = used.find(({ matches }) => matches.test(path));
    const isMember = group !== undefined && isInGroup(group, entry);
    const groupHeaders = group && !isMember ? Object.keys(headersFor(group.kind, settings)) : [];
    const own = Object.entries(headersFor(kind, settings)).filter(
      ([name]) => !names.includes(name) && !groupHeaders.includes(name),
    );
    if (path === speculationRulesPath || kind === 'feed') own.push(['Content-Type', getContentType(path)]);
    rules.set(isMember ? group.pattern : path, own);
  }
  return [...rules]
    .map(([path, headers]) => [path, ...headers.map(([name, value]) => `  ${name}: ${value}`), ''].join('\n'))
    .join('\n');
}

const maxRules = 100;
const maxLineLength = 2000;

export function describeIgnoredRules(text: string): string | undefined {
  const lines = text.split('\n');
  const rules = lines.filter(line => line.startsWith('/')).length;
  if (rules > maxRules)
    return `${headersFile} has ${rules} rules, and Cloudflare Pages reads ${maxRules}: the last files have no headers of their own there`;
  const [long] = lines.filter(line => line.length > maxLineLength).map(line => line.trim().split(':')[0]);
  return long
    ? `${headersFile} has a ${long} of more than ${maxLineLength} characters, which Cloudflare Pages does not read`
    : undefined;
}

type Group = { pattern: string; kind: FileEntry['kind']; matches: RegExp };

/** Folders with any number of files. A feed matches the pattern of posts: it gets their headers, and its own beside them. */
const groups: Group[] = [
  { pattern: '/static/*', kind: 'hashed', matches: /^\/static\// },
  { pattern: '/share/*', kind: 'shared', matches: /^\/share\// },
  { pattern: '/blog/images/*', kind: 'picture', matches: /^\/blog\/images\// },
  { pattern: '/blog/topics/*', kind: 'page', matches: /^\/blog\/topics\// },
  { pattern: '/blog/page/*', kind: 'page', matches: /^\/blog\/page\// },
  { pattern: '/blog/:post', kind: 'page', matches: /^\/blog\/[^/]+$/ },
];

function isInGroup(group: Group, { path, kind }: FileEntry): boolean {
  return group.kind === kind && group.matches.test(path);
}
