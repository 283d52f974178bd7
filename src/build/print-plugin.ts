import type { Plugin } from 'vite';

/** Tells the style sheet where the site is, so that a link on paper can say where it leads. */
export function printPlugin(siteUrl: string): Plugin {
  return {
    name: 'print',
    // Before what the style sheet imports is put into it.
    enforce: 'pre',
    transform(code, id) {
      // A served sheet has a query.
      if (!siteUrl || !/\/styles\/site\.css(\?|$)/.test(id)) return undefined;
      return `${code}\n@media print { :root { --site: ${JSON.stringify(siteUrl)}; } }\n`;
    },
  };
}
