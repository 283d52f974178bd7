import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { extensions } from './post-prose.ts';

/** Signs that no text has: Unicode keeps them for the inside of programs. */
const [opened, closed] = ['\uFDD0', '\uFDD1'];

/** In code, {braces} are code and not the names of facts: they are taken out of sight until the facts are filled in. */
export function hideCode(markdown: string): string {
  if (!markdown.includes('{')) return markdown;
  let hidden = markdown;
  (function visit(node: Nodes): void {
    if (node.type === 'code' || node.type === 'inlineCode') {
      const [start, end] = [node.position?.start.offset, node.position?.end.offset];
      const code = markdown.slice(start, end).replaceAll('{', opened).replaceAll('}', closed);
      // One sign for one sign: all places stay where they are.
      hidden = hidden.slice(0, start) + code + hidden.slice(end);
    }
    if ('children' in node) node.children.forEach(visit);
  })(fromMarkdown(markdown, extensions));
  return hidden;
}

export function showCode(markdown: string): string {
  return markdown.replaceAll(opened, '{').replaceAll(closed, '}');
}
