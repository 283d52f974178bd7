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

/** A long text in parts: what stands before its first heading and under it, and what stands under each of the others. */
export function sectionsOf(prose: ProseData): ProseData[] {
  const starts = prose.flatMap((node, index) => (isHeading(node) ? [index] : [])).slice(1);
  return [0, ...starts].map((start, index) => prose.slice(start, starts[index]));
}

/** The headings that part a long text. */
export function headingsOf(prose: ProseData): { id: string; title: string }[] {
  return prose.flatMap(node => {
    if (!isHeading(node)) return [];
    const [, { id = '' }, ...children] = node;
    return [{ id, title: textOf(children) }];
  });
}

function isHeading(node: ProseNode): node is Exclude<ProseNode, string> {
  return typeof node !== 'string' && node[0] === 'h2';
}
