import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { extensions } from './post-prose.ts';

/** Unicode noncharacters, which no text contains. */
const [opened, closed] = ['\uFDD0', '\uFDD1'];

/** Braces in code are not the names of facts: they are replaced until the facts are filled in. */
export function hideCode(markdown: string): string {
  if (!markdown.includes('{')) return markdown;
  let hidden = markdown;
  (function visit(node: Nodes): void {
    if (node.type === 'code' || node.type === 'inlineCode') {
      const [start, end] = [node.position?.start.offset, node.position?.end.offset];
      const code = markdown.slice(start, end).replaceAll('{', opened).replaceAll('}', closed);
      // One character for one: all offsets stay.
      hidden = hidden.slice(0, start) + code + hidden.slice(end);
    }
    if ('children' in node) node.children.forEach(visit);
  })(fromMarkdown(markdown, extensions));
  return hidden;
}

export function showCode(markdown: string): string {
  return markdown.replaceAll(opened, '{').replaceAll(closed, '}');
}
