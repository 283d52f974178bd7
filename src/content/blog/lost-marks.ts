import type { Paragraph, Text } from 'mdast';
import { clip } from '../fields.ts';
import type { ProseNode, ProseTools } from '../prose.ts';

/** What was meant as a link or a picture and is none: it would be shown as it was typed. */
export function findLostLink(node: Text, { refuse }: ProseTools): ProseNode[] | undefined {
  const [lost] = /(?:!?\[[^\]]*)?\]\([^)]*\)?/.exec(node.value) ?? [];
  return lost
    ? refuse(node, `has '${clip(lost)}', which is no link and no picture; an address has no spaces in it`)
    : undefined;
}

/** The same of a table: no sentence begins with a bar. */
export function findLostTable(node: Paragraph, { refuse }: ProseTools): ProseNode[] | undefined {
  const [first] = node.children;
  return first?.type === 'text' && first.value.startsWith('|')
    ? refuse(node, 'has a table that cannot be read; below its headings stands a line with one --- for each')
    : undefined;
}
