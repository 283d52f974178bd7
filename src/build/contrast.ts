import {
  type ColourDeclaration,
  type LinearRgb,
  readColour,
  readThemeColours,
  resolveColour,
} from './theme-colours.ts';

/** What is read on what, in every theme. WCAG 2.2 AA requires 4.5 for text. */
const pairs = [
  ...['text', 'muted', 'accent'].flatMap(ink => ['surface', 'raised', 'high'].map(paper => [ink, paper])),
  ['on-accent', 'accent'],
  ...['surface', 'high'].map(paper => ['attention', paper]),
  // Code is shown on ink alone.
  ...['code-word', 'code-name', 'code-value'].map(ink => [ink, 'surface']),
] as [ink: string, paper: string][];
const minContrast = 4.5;

export function findPoorContrast(css: string): string[] {
  const colours = readThemeColours(css);
  const { shared, themes } = colours;
  const errors = Object.keys(themes).flatMap(theme => {
    const resolve = (name: string) => resolveColour(colours, theme, name);
    return pairs.flatMap(([ink, paper]) => {
      const [over, under] = [resolve(ink), resolve(paper)];
      if (!over || !under) return [];
      const [light, ground] = [readColour(over.value), readColour(under.value)];
      if (!light) return [describeFault(over, expected(over))];
      if (!ground) return [describeFault(under, expected(under))];
      const ratio = contrast(light, ground);
      if (ratio >= minContrast) return [];
      const chosen = Object.values(shared).find(one => one === over || one === under) ?? over;
      const what = `${ink} on ${paper} in the theme '${theme}' has a contrast of ${ratio.toFixed(1)}`;
      return [describeFault(chosen, `${what}, at least ${minContrast} is needed to be read`)];
    });
  });
  return [...new Set(errors)];
}

function describeFault({ line }: ColourDeclaration, what: string): string {
  return `src/site/styles/theme.css line ${line}: ${what}`;
}

function expected({ value }: ColourDeclaration): string {
  return `'${value}' is no colour that can be checked; write it as #5df0b5 or as oklch(86% 0.15 163)`;
}

function contrast(one: LinearRgb, other: LinearRgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: LinearRgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
