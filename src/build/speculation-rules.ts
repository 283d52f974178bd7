import { paths } from '../site/paths.ts';

/**
 * Which links a browser may follow ahead of the visitor: those to our pages, when one is pointed at or pressed. Not the
 * page that is open, nothing with a query, and nothing once React has the page: from then on it changes pages itself.
 */
export function writeSpeculationRules(): string {
  const where = {
    and: [
      { href_matches: Object.values(paths).map(pathname => ({ pathname, search: '' })) },
      { selector_matches: ':root:not([data-script=react]) a:not([aria-current])' },
    ],
  };
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] });
}
