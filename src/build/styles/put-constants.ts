import postcss, { type Declaration, type Root, type Rule } from 'postcss';

/**
 * A property that one rule sets, for the whole document and in every condition, is a name for its value: the value takes
 * its place, which is fewer bytes on every page. What paper, contrast or a world sets anew stays a property.
 */
export function putConstants(sheet: string): string {
  const root = postcss.parse(sheet);
  const constants = findConstants(root);
  root.walkDecls(declaration => {
    declaration.value = putValues(declaration.value, constants);
  });
  root.walkDecls(/^--/, declaration => {
    if (constants.has(declaration.prop)) declaration.remove();
  });
  return root.toString();
}

function findConstants(root: Root): Map<string, string> {
  const setters = new Map<string, Declaration[]>();
  root.walkDecls(/^--/, declaration => {
    setters.set(declaration.prop, [...(setters.get(declaration.prop) ?? []), declaration]);
  });
  const constants = new Map<string, string>();
  for (const [name, [first, ...others]] of setters)
    if (first && others.length === 0 && isForAll(first) && !first.value.includes('var('))
      constants.set(name, first.value);
  return constants;
}

function isForAll({ parent }: Declaration): boolean {
  const { selectors, parent: block } = parent as Rule;
  const isUnconditional =
    block?.type === 'root' || (block?.type === 'atrule' && 'name' in block && block.name === 'layer');
  return isUnconditional && selectors.every(selector => selector === ':root' || selector === ':host');
}

function putValues(value: string, constants: Map<string, string>): string {
  return value.replaceAll(/var\((--[\w-]+)\)/g, (whole, name) => constants.get(name) ?? whole);
}
