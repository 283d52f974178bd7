import type { Blockquote } from 'mdast';
import { clip } from '../fields.ts';
import type { ProseNode, ProseTools } from '../prose.ts';
import { calloutNames, type PostWords } from './types.ts';

export function openCallout(node: Blockquote, words: PostWords, tools: ProseTools): ProseNode[] | undefined {
  const [first] = node.children;
  const [opening] = first?.type === 'paragraph' ? first.children : [];
  const found = opening?.type === 'text' ? /^\[!([^\]]*)\]/.exec(opening.value) : null;
  if (first?.type !== 'paragraph' || opening?.type !== 'text' || !found) return undefined;
  const name = calloutNames.find(one => one === found[1]?.toLowerCase());
  if (!name) {
    const known = calloutNames.map(one => `[!${one.toUpperCase()}]`).join(', ');
    return tools.refuse(node, `begins with '${clip(found[0].trim())}', expected one of ${known}`);
  }
  const beside = opening.value.slice(found[0].length);
  if (beside === '' && first.children[1]?.type === 'break')
    return tools.refuse(node, `has spaces behind [!${name.toUpperCase()}]; take them away`);
  if (/^[^\n]/.test(beside) || (beside === '' && first.children.length > 1))
    return tools.refuse(node, `has words beside [!${name.toUpperCase()}]; begin them in the next line`);
  const rest = beside.slice(1);
  const opened = [...(rest ? [{ ...opening, value: rest }] : []), ...first.children.slice(1)];
  const children = [...(opened.length ? [{ ...first, children: opened }] : []), ...node.children.slice(1)];
  if (children.length === 0) return tools.refuse(node, `has nothing below [!${name.toUpperCase()}]`);
  const label: ProseNode = ['p', { class: 'callout-label' }, words.callouts[name]];
  const inner = tools.convertAll({ ...node, children });
  return [['aside', { class: `callout callout-${name}`, role: 'note' }, label, ...inner]];
}
