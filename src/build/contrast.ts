import { type LinearRgb, readColour, readThemeColours, resolveColour } from './theme-colours.ts';

/** Names of colours, without the leading `--`, that each theme uses for text and its background. */
const pairs: { text: string[]; backgrounds: string[] }[] = [
  { text: ['text', 'muted', 'accent'], backgrounds: ['surface', 'raised', 'high'] },
  { text: ['on-accent'], backgrounds: ['accent'] },
  { text: ['attention'], backgrounds: ['surface', 'high'] },
  { text: ['code-word', 'code-name', 'code-value'], backgrounds: ['surface'] },
];
/** WCAG 2.2 AA for text. */
const minContrast = 4.5;

export function findPoorContrast(css: string): string[] {
  const colours = readThemeColours(css);
  const errors = new Set<string>();
  const addError = (line: number, what: string) =>
    errors.add(`src/site/styles/theme.css line ${line}: ${what}`);

  function check(theme: string, text: string, background: string): void {
    const declared = [text, background].flatMap(name => resolveColour(colours, theme, name) ?? []);
    const [over, under] = declared;
    if (!over || !under) return;
    const [foreground, behind] = declared.map(({ value }) => readColour(value));
    if (!foreground || !behind) {
      const { value, line } = foreground ? under : over;
      const expected = 'write it as #5df0b5 or as oklch(86% 0.15 163)';
      addError(line, `'${value}' is no colour that can be checked; ${expected}`);
      return;
    }
    const ratio = contrast(foreground, behind);
    if (ratio >= minContrast) return;
    const { line } = Object.values(colours.shared).find(one => declared.includes(one)) ?? over;
    const what = `${text} on ${background} in the theme '${theme}' has a contrast of ${ratio.toFixed(1)}`;
    addError(line, `${what}, at least ${minContrast} is needed to be read`);
  }

  for (const theme of Object.keys(colours.themes))
    for (const { text, backgrounds } of pairs)
      for (const name of text) for (const background of backgrounds) check(theme, name, background);
  return [...errors];
}

function contrast(one: LinearRgb, other: LinearRgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: LinearRgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
