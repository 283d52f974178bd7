import postcss, { type AtRule, type ChildNode, type Container } from 'postcss';

export type SplitStyles = {
  /** What a page on a screen needs, to be cut to that page. */
  first: string;
  /** What is for paper, and for eyes or systems that ask for other colours. */
  special: string;
  /** Everything but the fonts, which every page has declared: with any more of them, one that came late moves words. */
  whole: string;
};

/** When the special rules apply, as a link names it: a browser fetches them last where they do not. */
export const specialMedia = 'print,(prefers-contrast:more),(forced-colors:active)';

/** One sheet as three. The special rules come after the first ones, and still before nothing that they must win over. */
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

/** With the layers that they stand in, which the first sheet has put in order. */
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
