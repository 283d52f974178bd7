import { createElement, type ReactNode } from 'react';
import type { Prose as ProseData, ProseNode } from '../../content/prose.ts';
import { PageLink } from './page-link.tsx';

/** The owner's Markdown, as elements. */
export function Prose({ of, className = '' }: { of: ProseData; className?: string }) {
  return <div className={`prose ${className}`}>{of.map(toElement)}</div>;
}

function toElement(node: ProseNode, index: number): ReactNode {
  if (typeof node === 'string') return node;
  const [tag, attributes, ...children] = node;
  const inner = children.map(toElement);
  const href = attributes.href;
  if (tag === 'a' && href && /^[/#]/.test(href)) {
    return (
      <PageLink key={index} to={href}>
        {inner}
      </PageLink>
    );
  }
  return createElement(tag, { key: index, ...attributes }, ...inner);
}
