import { createElement, type ReactNode } from 'react';
import type { Prose as ProseData, ProseNode } from '../../core/content/prose.ts';
import { PageLink } from './page-link.tsx';

type ProseProps = { content: ProseData; className?: string; itemProp?: string };

export function Prose({ content, className = '', itemProp }: ProseProps) {
  return (
    <div className={`prose ${className}`} itemProp={itemProp}>
      {content.map(toElement)}
    </div>
  );
}

function toElement(node: ProseNode, index: number): ReactNode {
  if (typeof node === 'string') return node;
  const [tag, { class: className, ...attributes }, ...children] = node;
  const inner = children.map(toElement);
  const href = attributes.href;
  if (tag === 'a' && href && /^[/#]/.test(href)) {
    return (
      <PageLink key={index} to={href}>
        {inner}
      </PageLink>
    );
  }
  return createElement(tag, { key: index, className, ...attributes }, ...inner);
}

export function toPlainText(prose: ProseData): string {
  return prose
    .map(node => {
      if (typeof node === 'string') return node;
      const [tag, , ...children] = node;
      return /^(p|li|h\d)$/.test(tag) ? `${toPlainText(children)} ` : toPlainText(children);
    })
    .join('');
}
