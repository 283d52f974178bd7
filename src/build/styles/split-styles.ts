import postcss, { type AtRule, type ChildNode, type Container } from 'postcss';

export type SplitStyles = {
  first: string;
  special: string;
  /** Everything except the fonts, which every page declares: declared again, they would load late and shift text. */
  whole: string;
};

/** A browser fetches a sheet last whose media do not match. */
export const specialMedia = 'print,(prefers-contrast:more),(forced-colors:active)';

export function splitStyles(sheet: string): SplitStyles {
  const first = postcss.parse(sheet);
  const special = postcss.parse(sheet);
  const whole = postcss.parse(sheet);
  first.walkAtRules(rule => {
    if (isSpecial(rule)) rule.remove();
  });
  keepSpecial(special);
  if (countSpecial(special) !== countSpecial(whole))
    throw new Error('A rule for paper or for other colours may stand in a layer, and in no other block');
  whole.walkAtRules('font-face', rule => void rule.remove());
  return { first: first.toString(), special: special.toString(), whole: whole.toString() };
}

function isSpecial({ name, params }: AtRule): boolean {
  return name === 'media' && /^\(?(print|prefers-contrast:\s*more|forced-colors:\s*active)\)?$/.test(params);
}

/** With their layers, whose order the first sheet sets. */
function keepSpecial(container: Container): boolean {
  for (const node of [...(container.nodes ?? [])]) if (!holdsSpecial(node)) node.remove();
  return (container.nodes ?? []).length > 0;
}

function holdsSpecial(node: ChildNode): boolean {
  if (node.type !== 'atrule' || !node.nodes) return false;
  return isSpecial(node) || (node.name === 'layer' && keepSpecial(node));
}

function countSpecial(root: Container): number {
  let count = 0;
  root.walkAtRules(rule => {
    if (isSpecial(rule)) count += 1;
  });
  return count;
}
