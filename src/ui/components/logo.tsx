import { brand } from 'content:brand';
import { createElement, type ReactNode } from 'react';
import type { LogoShape } from '../../core/content/brand/brand-files.ts';

export function Logo() {
  const { viewBox, shape } = brand.logo;
  return (
    <svg aria-hidden="true" className="size-7 text-accent" viewBox={viewBox}>
      {toElement(shape, 0)}
    </svg>
  );
}

function toElement({ tag, attributes, children }: LogoShape, key: number): ReactNode {
  const props = Object.entries(attributes).map(([name, value]) => [toPropName(name), value]);
  return createElement(tag, { key, ...Object.fromEntries(props) }, ...children.map(toElement));
}

function toPropName(attribute: string): string {
  return attribute.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
