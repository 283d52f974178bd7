import { createElement, Fragment, type ReactNode } from 'react';
import type { Prose as ProseData, ProseNode } from '../../content/prose.ts';
import { PageLink } from './page-link.tsx';

/** By the name under which the text mentions them, in a paragraph of its own: {name}. */
export type ProseParts = Record<string, ReactNode>;

type ProseProps = {
  of: ProseData;
  className?: string;
  parts?: ProseParts | undefined;
  /** Hardly any window shows it at first. */
  isFar?: boolean;
};

/** The owner's Markdown, as elements. */
export function Prose({ of, className = '', parts = {}, isFar = false }: ProseProps) {
  return (
    <div className={`prose ${className}`} data-far={isFar ? '' : undefined} suppressHydrationWarning>
      {of.map((node, index) => findPart(node, parts) ?? toElement(node, index))}
    </div>
  );
}

function findPart(node: ProseNode, parts: ProseParts): ReactNode {
  const name = /^\{(\w+)\}$/.exec(textOf([node]).trim())?.[1] ?? '';
  return Object.hasOwn(parts, name) ? <Fragment key={name}>{parts[name]}</Fragment> : undefined;
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

/** A long text in parts: what stands first, as much as a first window may show, and what stands under each further heading. */
export function partsOf(prose: ProseData): ProseData[] {
  const isHeading = (index: number) => {
    const node = prose[index];
    return typeof node === 'object' && /^h[23]$/.test(node[0]);
  };
  // A heading right under another stays with it.
  const starts = [...prose.keys()].filter(index => isHeading(index) && !isHeading(index - 1)).slice(1);
  return [0, ...starts].map((start, index) => prose.slice(start, starts[index]));
}

/** The headings that part a long text. */
export function headingsOf(prose: ProseData): { id: string; title: string }[] {
  return prose.flatMap(node => {
    if (typeof node === 'string' || node[0] !== 'h2') return [];
    const [, { id = '' }, ...children] = node;
    return [{ id, title: textOf(children) }];
  });
}
