import postcss, { type AtRule, type ChildNode, type Container } from 'postcss';

export type SplitStyles = {
  screen: string;
  printAndContrast: string;
  /** Everything except the fonts, which every page declares: declared again, they would load late and shift text. */
  full: string;
};

export const printAndContrastMedia = 'print,(prefers-contrast:more),(forced-colors:active)';

export function splitStyles(css: string): SplitStyles {
  const screen = postcss.parse(css);
  const printAndContrast = postcss.parse(css);
  const full = postcss.parse(css);
  screen.walkAtRules(rule => {
    if (isPrintOrContrast(rule)) rule.remove();
  });
  keepPrintAndContrast(printAndContrast);
  if (countPrintAndContrast(printAndContrast) !== countPrintAndContrast(full))
    throw new Error(
      '@media print, prefers-contrast and forced-colors must be at the top level or directly in a layer',
    );
  full.walkAtRules('font-face', rule => void rule.remove());
  return { screen: screen.toString(), printAndContrast: printAndContrast.toString(), full: full.toString() };
}

function isPrintOrContrast({ name, params }: AtRule): boolean {
  return name === 'media' && /^\(?(print|prefers-contrast:\s*more|forced-colors:\s*active)\)?$/.test(params);
}

function keepPrintAndContrast(container: Container): boolean {
  for (const node of [...(container.nodes ?? [])]) if (!holdsPrintOrContrast(node)) node.remove();
  return (container.nodes ?? []).length > 0;
}

function holdsPrintOrContrast(node: ChildNode): boolean {
  if (node.type !== 'atrule' || !node.nodes) return false;
  return isPrintOrContrast(node) || (node.name === 'layer' && keepPrintAndContrast(node));
}

function countPrintAndContrast(root: Container): number {
  let count = 0;
  root.walkAtRules(rule => {
    if (isPrintOrContrast(rule)) count += 1;
  });
  return count;
}
