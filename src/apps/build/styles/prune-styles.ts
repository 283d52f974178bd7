import postcss, { type AtRule, type Declaration, type Root } from 'postcss';
import type { RenderedPage } from '../../../ui/rendered-page.ts';
import { type HtmlElement, listElements } from '../parse-html.ts';

/** Removes rules for classes and elements that the HTML lacks: React, which may add them, loads the full stylesheet. */
export function pruneStyles(css: string, used: ReadonlySet<string>): string {
  const root = postcss.parse(css);
  const layers = listLayers(root);
  root.walkComments(comment => void comment.remove());
  root.walkRules(rule => {
    if (rule.parent?.type === 'atrule' && (rule.parent as AtRule).name.endsWith('keyframes')) return;
    const selectors = rule.selectors.filter(
      selector =>
        listSelectorNames(selector).every(name => used.has(name)) &&
        listTagsInProse(selector).some(tag => used.has(`.prose ${tag}`)),
    );
    if (selectors.length === 0) rule.remove();
    else if (selectors.length < rule.selectors.length) rule.selectors = selectors;
  });
  root.walkDecls(dropRepeated);
  inlineInitialValues(root);
  while (dropUnused(root) > 0);
  const order = listLayers(root).join() === layers.join() ? '' : `@layer ${layers.join()};`;
  return order + root.toString();
}

/** Layers rank by first mention: layers without a rule on this page keep their place for the whole stylesheet. */
function listLayers(root: Root): string[] {
  const layers = root.nodes.flatMap(node =>
    node.type === 'atrule' && node.name === 'layer' ? node.params : [],
  );
  return [...new Set(layers)];
}

function dropRepeated(declaration: Declaration): void {
  const before = declaration.prev();
  if (before?.type === 'decl' && before.toString() === declaration.toString()) before.remove();
}

/** A registered property that no rule sets has its initial value everywhere: that value is put in its place. */
function inlineInitialValues(root: Root): void {
  const initials = new Map<string, string | undefined>();
  root.walkAtRules('property', ({ params, nodes = [] }) => {
    const initial = nodes.find(node => node.type === 'decl' && node.prop === 'initial-value');
    initials.set(params, (initial as Declaration | undefined)?.value);
  });
  root.walkDecls(/^--/, declaration => {
    if (!isFallback(declaration)) initials.delete(declaration.prop);
  });
  root.walkDecls(declaration => {
    if (isFallback(declaration) && initials.has(declaration.prop)) declaration.remove();
    else declaration.value = replaceVariables(declaration.value, initials);
  });
}

function isFallback(declaration: Declaration): boolean {
  for (let node = declaration.parent; node; node = node.parent as typeof node)
    if (node.type === 'atrule' && (node as AtRule).params === 'properties') return true;
  return false;
}

function replaceVariables(value: string, initials: Map<string, string | undefined>): string {
  return value.replaceAll(/var\((--[\w-]+)(?:,\s*((?:[^()]|\([^()]*\))*))?\)/g, (whole, name, otherwise) =>
    initials.has(name) ? (initials.get(name) ?? otherwise ?? whole) : whole,
  );
}

function dropUnused(root: Root): number {
  const text = root.toString();
  const usedVariables = new Set(Array.from(text.matchAll(/var\(\s*(--[\w-]+)/g), ([, name]) => name));
  let dropped = 0;
  const drop = (node: { remove(): unknown }) => {
    node.remove();
    dropped += 1;
  };
  root.walkDecls(/^--/, declaration => {
    if (!usedVariables.has(declaration.prop)) drop(declaration);
  });
  root.walkAtRules(rule => {
    if (rule.name === 'property' && !usedVariables.has(rule.params)) drop(rule);
    if (rule.name === 'keyframes' && text.split(rule.params).length === 2) drop(rule);
    if (rule.nodes?.length === 0) drop(rule);
  });
  root.walkRules(rule => {
    if (rule.nodes.length === 0) drop(rule);
  });
  return dropped;
}

export function pruneStylesPerPage(css: string, rendered: RenderedPage[]): Map<string, string> {
  const used = new Map<string, Set<string>>();
  for (const { page, body } of rendered)
    used.set(page, (used.get(page) ?? new Set()).union(listUsedNames(body)));
  return new Map([...used].map(([page, names]) => [page, pruneStyles(css, names)]));
}

function isInProse(element: HtmlElement | undefined): boolean {
  if (!element) return false;
  return /\bprose\b/.test(element.attributes.get('class') ?? '') || isInProse(element.parent);
}

const anyTag = '*';

/** Set by the browser and the boot script after the HTML was parsed. */
const runtimeAttributes = ['open', 'hidden', 'aria-pressed', 'data-script', 'data-motion', 'data-loop'];

export function listUsedNames(html: string): Set<string> {
  const names = new Set(runtimeAttributes.map(name => `[${name}]`)).add(`.prose ${anyTag}`);
  for (const { tagName, attributes, parent } of listElements(html)) {
    names.add(tagName);
    if (isInProse(parent)) names.add(`.prose ${tagName}`);
    for (const [name, value] of attributes) {
      names.add(`[${name}]`).add(formatAttribute(name, value));
      if (name === 'class') for (const one of value.split(/\s+/)) names.add(`.${one}`);
      if (name === 'id') names.add(`#${value}`);
    }
  }
  return names;
}

/** What `.prose :where(ul, li + li)` is for; any selector that is not of this form is for all. */
function listTagsInProse(selector: string): string[] {
  const [, list] = /^\.prose :where\(([\w+, ]+)\)$/.exec(selector) ?? [];
  return list?.split(/[+,]/).map(tag => tag.trim()) ?? [anyTag];
}

/** What a selector requires: `tag`, `.class`, `#id`, `[name]` or `[name=value]`. */
function listSelectorNames(selector: string): string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [, attribute = '', value, opening, closing, mark = '', name] of selector.matchAll(tokens)) {
    if (opening) depth += 1;
    else if (closing) depth -= 1;
    else if (depth > 0) continue;
    else if (attribute) names.push(formatAttribute(attribute, value));
    else if (name && (!mark.startsWith(':') || name === 'host')) names.push(mark + withoutEscapes(name));
  }
  return names;
}

/** A field's type and a theme never change; rules for data-script=react are not for a page without React. */
function formatAttribute(name: string, value = ''): string {
  const isStaticAttribute = name === 'type' || name === 'data-theme';
  const keepsValue = (isStaticAttribute && value) || (name === 'data-script' && value === 'react');
  return keepsValue ? `[${name}=${value}]` : `[${name}]`;
}

const tokens =
  /\[([\w-]+)(?:=["']?([\w-]+))?[^\]]*\]|(\()|(\))|([.#]|::?)?((?:[\w\u0080-\uffff-]|\\[0-9a-f]{1,6}\s?|\\.)+)/gi;

function withoutEscapes(name: string): string {
  return name.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, code, character) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : character,
  );
}
