import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { parserOptions } from './post-prose.ts';

/** Unicode noncharacters, which no text contains. */
const [openingBrace, closingBrace] = ['\uFDD0', '\uFDD1'];

/** Braces in code are no placeholders: they are replaced until the placeholders are filled in. */
export function hideBracesInCode(markdown: string): string {
  if (!markdown.includes('{')) return markdown;
  let hidden = markdown;
  (function visit(node: Nodes): void {
    if (node.type === 'code' || node.type === 'inlineCode') {
      const [start, end] = [node.position?.start.offset, node.position?.end.offset];
      const code = markdown.slice(start, end).replaceAll('{', openingBrace).replaceAll('}', closingBrace);
      // One character replaces one, so that all offsets stay valid.
      hidden = hidden.slice(0, start) + code + hidden.slice(end);
    }
    if ('children' in node) node.children.forEach(visit);
  })(fromMarkdown(markdown, parserOptions));
  return hidden;
}

export function restoreBracesInCode(markdown: string): string {
  return markdown.replaceAll(openingBrace, '{').replaceAll(closingBrace, '}');
}
