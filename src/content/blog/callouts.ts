import type { Blockquote } from 'mdast';
import { clip } from '../fields.ts';
import type { ProseNode, ProseTools } from '../prose.ts';
import { calloutNames, type PostLabels } from './blog-types.ts';

export function convertCallout(
  node: Blockquote,
  labels: PostLabels,
  tools: ProseTools,
): ProseNode[] | undefined {
  const [first] = node.children;
  const [marker] = first?.type === 'paragraph' ? first.children : [];
  const match = marker?.type === 'text' ? /^\[!([^\]]*)\]/.exec(marker.value) : null;
  if (first?.type !== 'paragraph' || marker?.type !== 'text' || !match) return undefined;
  const name = calloutNames.find(one => one === match[1]?.toLowerCase());
  if (!name) {
    const known = calloutNames.map(one => `[!${one.toUpperCase()}]`).join(', ');
    return tools.refuse(node, `begins with '${clip(match[0].trim())}', expected one of ${known}`);
  }
  const textBeside = marker.value.slice(match[0].length);
  if (textBeside === '' && first.children[1]?.type === 'break')
    return tools.refuse(node, `has spaces after [!${name.toUpperCase()}]; remove them`);
  if (/^[^\n]/.test(textBeside) || (textBeside === '' && first.children.length > 1))
    return tools.refuse(node, `has text beside [!${name.toUpperCase()}]; put it on the next line`);
  const rest = textBeside.slice(1);
  const paragraph = [...(rest ? [{ ...marker, value: rest }] : []), ...first.children.slice(1)];
  const children = [
    ...(paragraph.length ? [{ ...first, children: paragraph }] : []),
    ...node.children.slice(1),
  ];
  if (children.length === 0) return tools.refuse(node, `has no text below [!${name.toUpperCase()}]`);
  const label: ProseNode = ['p', { class: 'callout-label' }, labels.callouts[name]];
  const inner = tools.convertAll({ ...node, children });
  return [['aside', { class: `callout callout-${name}`, role: 'note' }, label, ...inner]];
}
