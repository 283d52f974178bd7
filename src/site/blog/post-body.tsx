import { createElement, type ReactNode } from 'react';
import type { Prose, ProseNode } from '../../content/prose.ts';
import { Arrow } from '../parts/arrow.tsx';

/** The owner's Markdown as a document keeps it: links are those of the browser, and nothing waits for a script. */
export function PostBody({ of }: { of: Prose }) {
  return (
    <div className="prose post">{of.map((node, index) => withLink(node) ?? toElement(node, index))}</div>
  );
}

/** A heading is the link to itself, so that it is read out once. One that holds a link cannot be. */
function withLink(node: ProseNode): ReactNode {
  if (typeof node === 'string') return undefined;
  const [tag, { id }, ...children] = node;
  if (!/^h[23]$/.test(tag) || !id || holdsLink(children)) return undefined;
  const link = (
    <a className="heading-link" href={`#${id}`}>
      {children.map(toElement)}
    </a>
  );
  return createElement(tag, { key: id, id }, link);
}

function holdsLink(nodes: ProseNode[]): boolean {
  return nodes.some(
    node => typeof node !== 'string' && (node[0] === 'a' || holdsLink(node.slice(2) as Prose)),
  );
}

function toElement(node: ProseNode, index: number): ReactNode {
  if (typeof node === 'string') return node;
  const [tag, attributes, ...children] = node;
  const named = Object.entries(attributes).map(([name, value]) => [names[name] ?? name, value]);
  // Code stands on the ground of the other world.
  const world = tag === 'pre' ? { 'data-world': 'ink' } : {};
  // Not every system has the letter that stands for it elsewhere.
  const inner = attributes.class === 'note-back' ? [<Arrow key="arrow" />] : children.map(toElement);
  return createElement(tag, { key: index, ...world, ...Object.fromEntries(named) }, ...inner);
}

/** Those that React calls differently. */
const names: Record<string, string> = { class: 'className', tabindex: 'tabIndex', srcset: 'srcSet' };
