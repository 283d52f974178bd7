import postcss, { type AtRule, type Declaration, type Root } from 'postcss';
import { namesIn } from './names-in.ts';

/**
 * The rules of a sheet that can apply where only these names are used. States and what stands in brackets may come later,
 * so they keep a rule; a class or an element that is not in a page comes only with React, which brings the whole sheet.
 */
export function pruneStyles(sheet: string, used: ReadonlySet<string>): string {
  const root = postcss.parse(sheet);
  const layers = layersOf(root);
  root.walkComments(comment => void comment.remove());
  root.walkRules(rule => {
    if (rule.parent?.type === 'atrule' && (rule.parent as AtRule).name.endsWith('keyframes')) return;
    const kept = rule.selectors.filter(selector => namesIn(selector).every(name => used.has(name)));
    if (kept.length === 0) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  });
  root.walkDecls(dropRepeated);
  putInitials(root);
  while (dropUnused(root) > 0);
  const order = layersOf(root).join() === layers.join() ? '' : `@layer ${layers.join()};`;
  return order + root.toString();
}

/** Layers rank by who is named first: those that a page has no rule of keep their place for the whole sheet. */
function layersOf(root: Root): string[] {
  const layers = root.nodes.flatMap(node =>
    node.type === 'atrule' && node.name === 'layer' ? node.params : [],
  );
  return [...new Set(layers)];
}

function dropRepeated(declaration: Declaration): void {
  const before = declaration.prev();
  if (before?.type === 'decl' && before.toString() === declaration.toString()) before.remove();
}

/** A registered property that no rule sets has its first value everywhere: that value takes its place. */
function putInitials(root: Root): void {
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
    else declaration.value = putValues(declaration.value, initials);
  });
}

/** For browsers that cannot register a property: it says the same once more. */
function isFallback(declaration: Declaration): boolean {
  for (let node = declaration.parent; node; node = node.parent as typeof node)
    if (node.type === 'atrule' && (node as AtRule).params === 'properties') return true;
  return false;
}

/** Where a property has no first value, what stands behind its comma counts; without one the rule is left as it is. */
function putValues(value: string, initials: Map<string, string | undefined>): string {
  return value.replaceAll(/var\((--[\w-]+)(?:,\s*((?:[^()]|\([^()]*\))*))?\)/g, (whole, name, otherwise) =>
    initials.has(name) ? (initials.get(name) ?? otherwise ?? whole) : whole,
  );
}

/** Properties, animations and blocks that nothing asks for any more; each may have been the last to ask for another. */
function dropUnused(root: Root): number {
  const text = root.toString();
  const asked = new Set(Array.from(text.matchAll(/var\(\s*(--[\w-]+)/g), ([, name]) => name));
  let dropped = 0;
  const drop = (node: { remove(): unknown }) => {
    node.remove();
    dropped += 1;
  };
  root.walkDecls(/^--/, declaration => {
    if (!asked.has(declaration.prop)) drop(declaration);
  });
  root.walkAtRules(rule => {
    if (rule.name === 'property' && !asked.has(rule.params)) drop(rule);
    if (rule.name === 'keyframes' && text.split(rule.params).length === 2) drop(rule);
    if (rule.nodes?.length === 0) drop(rule);
  });
  root.walkRules(rule => {
    if (rule.nodes.length === 0) drop(rule);
  });
  return dropped;
}
