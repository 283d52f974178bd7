import { type Declared, type Light, readColour, readTheme, resolveColour } from './theme-colours.ts';

/** What is read on what, in every world. WCAG 2.2 AA requires 4.5 for text. */
const pairs = [
  ...['text', 'muted', 'accent'].flatMap(ink => ['surface', 'raised', 'high'].map(paper => [ink, paper])),
  ['on-accent', 'accent'],
  ...['surface', 'high'].map(paper => ['attention', paper]),
  // Code is shown on ink alone.
  ...['code-word', 'code-name', 'code-value'].map(ink => [ink, 'surface']),
] as [ink: string, paper: string][];
const least = 4.5;

export function findPoorContrast(css: string): string[] {
  const theme = readTheme(css);
  const { house, worlds } = theme;
  const faults = Object.keys(worlds).flatMap(world => {
    const resolve = (name: string) => resolveColour(theme, world, name);
    return pairs.flatMap(([ink, paper]) => {
      const [over, under] = [resolve(ink), resolve(paper)];
      if (!over || !under) return [];
      const [light, ground] = [readColour(over.value), readColour(under.value)];
      if (!light) return [complain(over, expected(over))];
      if (!ground) return [complain(under, expected(under))];
      const found = contrast(light, ground);
      if (found >= least) return [];
      const chosen = Object.values(house).find(one => one === over || one === under) ?? over;
      const what = `${ink} on ${paper} in the world '${world}' has a contrast of ${found.toFixed(1)}`;
      return [complain(chosen, `${what}, at least ${least} is needed to be read`)];
    });
  });
  return [...new Set(faults)];
}

function complain({ line }: Declared, what: string): string {
  return `src/site/styles/theme.css line ${line}: ${what}`;
}

function expected({ value }: Declared): string {
  return `'${value}' is no colour that can be checked; write it as #5df0b5 or as oklch(86% 0.15 163)`;
}

function contrast(one: Light, other: Light): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: Light): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
