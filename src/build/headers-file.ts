import { type FileEntry, typeOf, withStyles } from '../server/files.ts';
import { type HeaderSettings, headersFor, speculationRulesPath } from '../server/headers.ts';

/** Netlify and Cloudflare Pages read it, and serve it to nobody. */
export const headersFile = '_headers';

/**
 * The server's headers for hosts that have none of ours. These hosts join what several rules say of one header, so what
 * all files share stands once, and each path has one rule for the rest.
 */
export function writeHeadersFile(entries: FileEntry[], common: HeaderSettings): string {
  // Also of the 404 page, which stands at every path that is none: one policy names the sheets of all.
  const settings = withStyles(common, entries);
  const shared = Object.entries(headersFor('page', settings)).filter(([name, value]) =>
    entries.every(({ kind }) => headersFor(kind, settings)[name] === value),
  );
  const names = shared.map(([name]) => name);
  const rules = new Map([['/*', shared]]);
  for (const { path, kind } of entries) {
    const own = Object.entries(headersFor(kind, settings)).filter(([name]) => !names.includes(name));
    // The only types that hosts cannot know from a file's name.
    if (path === speculationRulesPath || kind === 'feed') own.push(['Content-Type', typeOf(path)]);
    rules.set(kind === 'hashed' ? '/static/*' : path, own);
  }
  return [...rules].map(([path, headers]) => `${path}\n${headers.map(writeHeader).join('')}`).join('\n');
}

function writeHeader([name, value]: [string, string]): string {
  return `  ${name}: ${value}\n`;
}
