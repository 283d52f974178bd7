import { type FileEntry, typeOf, withStyles } from '../server/files.ts';
import { type HeaderSettings, headersFor, speculationRulesPath } from '../server/headers.ts';

/** Netlify and Cloudflare Pages read it, and serve it to nobody. */
export const headersFile = '_headers';

/**
 * The server's headers for hosts that have none of ours. These hosts join what several rules say of one header, so what
 * all files share stands once, and no two other rules that fit a path name the same header.
 */
export function writeHeadersFile(entries: FileEntry[], common: HeaderSettings): string {
  // Also of the 404 page, which stands at every path that is none: one policy names the sheets of all.
  const settings = withStyles(common, entries);
  const shared = Object.entries(headersFor('page', settings)).filter(([name, value]) =>
    entries.every(({ kind }) => headersFor(kind, settings)[name] === value),
  );
  const names = shared.map(([name]) => name);
  const used = groups.filter(group => entries.some(entry => isOf(group, entry)));
  // What many files share comes first, so that it is read whatever follows.
  const rules = new Map([
    ['/*', shared],
    ...used.map(({ pattern }): [string, typeof shared] => [pattern, []]),
  ]);
  for (const entry of entries) {
    const { path, kind } = entry;
    const group = used.find(({ holds }) => holds.test(path));
    const isOfGroup = group !== undefined && isOf(group, entry);
    const told = group && !isOfGroup ? Object.keys(headersFor(group.kind, settings)) : [];
    const own = Object.entries(headersFor(kind, settings)).filter(
      ([name]) => !names.includes(name) && !told.includes(name),
    );
    // The only types that hosts cannot know from a file's name.
    if (path === speculationRulesPath || kind === 'feed') own.push(['Content-Type', typeOf(path)]);
    rules.set(isOfGroup ? group.pattern : path, own);
  }
  return [...rules].map(([path, headers]) => `${path}\n${headers.map(writeHeader).join('')}`).join('\n');
}

/** What Cloudflare Pages reads of the file. */
const mostRules = 100;
const longestLine = 2000;

/** Why a host would pass over a part of it, or nothing where it would not. */
export function findUnreadRules(text: string): string | undefined {
  const lines = text.split('\n');
  const rules = lines.filter(line => line.startsWith('/')).length;
  if (rules > mostRules)
    return `${headersFile} has ${rules} rules, and Cloudflare Pages reads ${mostRules}: the last files have no headers of their own there`;
  const [long] = lines.filter(line => line.length > longestLine).map(line => line.trim().split(':')[0]);
  return long
    ? `${headersFile} has a ${long} of more than ${longestLine} characters, which Cloudflare Pages does not read`
    : undefined;
}

type Group = { pattern: string; kind: FileEntry['kind']; holds: RegExp };

/**
 * Places where any number of files may lie. A feed lies where a post might: there it has the headers of one, and its own
 * beside them.
 */
const groups: Group[] = [
  { pattern: '/static/*', kind: 'hashed', holds: /^\/static\// },
  { pattern: '/share/*', kind: 'shared', holds: /^\/share\// },
  { pattern: '/blog/images/*', kind: 'picture', holds: /^\/blog\/images\// },
  { pattern: '/blog/topics/*', kind: 'page', holds: /^\/blog\/topics\// },
  { pattern: '/blog/page/*', kind: 'page', holds: /^\/blog\/page\// },
  { pattern: '/blog/:post', kind: 'page', holds: /^\/blog\/[^/]+$/ },
];

function isOf(group: Group, { path, kind }: FileEntry): boolean {
  return group.kind === kind && group.holds.test(path);
}

function writeHeader([name, value]: [string, string]): string {
  return `  ${name}: ${value}\n`;
}
