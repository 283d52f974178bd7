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

/** What the text says, its parts kept apart. */
export function textOf(prose: ProseData): string {
  return prose
    .map(node => {
      if (typeof node === 'string') return node;
      const [tag, , ...children] = node;
      return /^(p|li|h\d)$/.test(tag) ? `${textOf(children)} ` : textOf(children);
    })
    .join('');
}

/** The headings that part a long text. */
export function headingsOf(prose: ProseData): { id: string; title: string }[] {
  return prose.flatMap(node => {
    if (typeof node === 'string' || node[0] !== 'h2') return [];
    const [, { id = '' }, ...children] = node;
    return [{ id, title: textOf(children) }];
  });
}
