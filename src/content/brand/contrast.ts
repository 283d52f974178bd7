import type { ContentError } from '../content-error.ts';
import type { BrandColours } from '../schemas/brand-colours.ts';
import type { ParsedFile } from '../source-positions.ts';
import { type LinearRgb, parseColour } from './colours.ts';
import { type ColourSource, findColour, type ThemeName, themeNames } from './theme-colours.ts';

/** What each theme uses for text and its background. */
const pairs: { text: string[]; backgrounds: string[] }[] = [
  { text: ['text', 'muted', 'accent'], backgrounds: ['surface', 'raised', 'high'] },
  { text: ['onAccent'], backgrounds: ['accent'] },
  { text: ['attention'], backgrounds: ['surface', 'high'] },
  { text: ['codeWord', 'codeName', 'codeValue'], backgrounds: ['surface'] },
];
/** WCAG 2.2 AA for text. */
const minContrast = 4.5;

/** The worst use of each colour. */
export function findPoorContrast(
  colours: BrandColours,
  { file, lineAt }: Pick<ParsedFile, 'file' | 'lineAt'>,
): ContentError[] {
  const errors = new Map<number, ContentError & { ratio: number }>();

  function check(theme: ThemeName, text: string, background: string): void {
    const [over, under] = [findColour(colours, theme, text), findColour(colours, theme, background)];
    const [foreground, behind] = [over, under].map(one => one && parseColour(one.value));
    if (!over || !under || !foreground || !behind) return;
    const ratio = contrast(foreground, behind);
    if (ratio >= minContrast) return;
    const { theme: group, name } = findCause(theme, text, [over, under]);
    const where = `on ${background} in the theme '${theme}'`;
    const what = name === text ? `${where} is` : `makes ${text} ${where}`;
    const reason = `${what} hard to read: a contrast of ${ratio.toFixed(1)}, at least ${minContrast} is needed`;
    const path = ['colours', group, name];
    const line = lineAt(path);
    if (ratio < (errors.get(line)?.ratio ?? minContrast))
      errors.set(line, { file, line, field: name, path, reason, ratio });
  }

  for (const theme of themeNames)
    for (const { text, backgrounds } of pairs)
      for (const name of text) for (const background of backgrounds) check(theme, name, background);
  return [...errors.values()].map(({ ratio: _, ...error }) => error);
}

/** Where the text colour follows from another one, the owner most likely chose the accent, or a colour of this theme. */
function findCause(
  theme: ThemeName,
  text: string,
  sources: [over: ColourSource, under: ColourSource],
): ColourSource {
  const [over] = sources;
  if (over.name === text) return over;
  return sources.find(({ name }) => name === 'accent') ?? sources.find(one => one.theme === theme) ?? over;
}

function contrast(one: LinearRgb, other: LinearRgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: LinearRgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
