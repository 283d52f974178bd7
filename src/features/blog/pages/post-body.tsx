import { createElement, type ReactNode } from 'react';
import type { Prose, ProseNode } from '../../../core/content/prose.ts';
import { ArrowIcon } from '../../../ui/components/icon.tsx';

export function PostBody({ content }: { content: Prose }) {
  return (
    <div className="prose post">
      {content.map((node, index) => toLinkedHeading(node) ?? toElement(node, index))}
    </div>
  );
}

function toLinkedHeading(node: ProseNode): ReactNode {
  if (typeof node === 'string') return undefined;
  const [tag, { id }, ...children] = node;
  if (!/^h[23]$/.test(tag) || !id || containsLink(children)) return undefined;
  const link = (
    <a className="heading-link" href={`#${id}`}>
      {children.map(toElement)}
    </a>
  );
  return createElement(tag, { key: id, id }, link);
}

function containsLink(nodes: ProseNode[]): boolean {
  return nodes.some(
    node => typeof node !== 'string' && (node[0] === 'a' || containsLink(node.slice(2) as Prose)),
  );
}

function toElement(node: ProseNode, index: number): ReactNode {
  if (typeof node === 'string') return node;
  const [tag, attributes, ...children] = node;
  const properties = Object.entries(attributes).map(([name, value]) => [propertyNames[name] ?? name, value]);
  const theme = tag === 'pre' ? { 'data-theme': 'ink' } : {};
  // An icon, because not every font has the arrow character.
  const inner = attributes.class === 'note-back' ? [<ArrowIcon key="arrow" />] : children.map(toElement);
  return createElement(tag, { key: index, ...theme, ...Object.fromEntries(properties) }, ...inner);
}

const propertyNames: Record<string, string> = { class: 'className', tabindex: 'tabIndex', srcset: 'srcSet' };
