import { type Prose, plainText } from '../prose.ts';
import type { Heading } from './types.ts';

/** The headings of the text itself, in order: not those within quotations, nor that of its footnotes. */
export function findHeadings(prose: Prose): Heading[] {
  return prose.flatMap(node => {
    if (typeof node === 'string' || (node[0] !== 'h2' && node[0] !== 'h3')) return [];
    const [tag, { id = '' }, ...children] = node;
    return [{ id, words: plainText(children), depth: tag === 'h2' ? 2 : 3 } as const];
  });
}
