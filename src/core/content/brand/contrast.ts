import type { ContentError } from '../content-error.ts';
import type { BrandColours } from '../schemas/brand-colours.ts';
import type { ParsedFile } from '../source-positions.ts';
import { formatHex, type LinearRgb, parseColour } from './colours.ts';
import { type ColourSource, findColour, type ThemeName, themeNames } from './theme-colours.ts';

/** What each theme uses for text and its background. */
const pairs: { text: string[]; backgrounds: string[] }[] = [
  { text: ['text', 'muted', 'accent'], backgrounds: ['surface', 'raised', 'high'] },
  { text: ['onAccent'], backgrounds: ['accent'] },
  { text: ['attention'], backgrounds: ['surface', 'high'] },
  { text: ['codeWord', 'codeName', 'codeValue'], backgrounds: ['surface'] },
];
/** WCAG 2.2 AA for text. */
export const minContrast = 4.5;

export type Contrast = {
  theme: ThemeName;
  text: string;
  background: string;
  ratio: number;
  /** The colour of brand.yaml to change. */
  cause: Pick<ColourSource, 'theme' | 'name'>;
};

/** Every pair that the pages use, but those with a value that is no colour. */
export function listContrasts(colours: BrandColours): Contrast[] {
  return themeNames.flatMap(theme =>
    pairs.flatMap(({ text, backgrounds }) =>
      text.flatMap(name =>
        backgrounds.flatMap(background => measure(colours, theme, name, background) ?? []),
      ),
    ),
  );
}

function measure(
  colours: BrandColours,
  theme: ThemeName,
  text: string,
  background: string,
): Contrast | undefined {
  const [over, under] = [findColour(colours, theme, text), findColour(colours, theme, background)];
  const [foreground, behind] = [over, under].map(one => one && parseColour(one.value));
  if (!over || !under || !foreground || !behind) return undefined;
  const { theme: group, name } = findCause(theme, text, [over, under]);
  return { theme, text, background, ratio: contrast(foreground, behind), cause: { theme: group, name } };
}

/** The worst use of each colour. */
export function findPoorContrast(
  colours: BrandColours,
  { file, lineAt }: Pick<ParsedFile, 'file' | 'lineAt'>,
): ContentError[] {
  const errors = new Map<number, ContentError & { ratio: number }>();
  for (const { theme, text, background, ratio, cause } of listContrasts(colours)) {
    if (ratio >= minContrast) continue;
    const where = `on ${background} in the theme '${theme}'`;
    const what = cause.name === text ? `${where} is` : `makes ${text} ${where}`;
    const reason = `${what} hard to read: a contrast of ${ratio.toFixed(1)}, at least ${minContrast} is needed`;
    const line = lineAt(['colours', cause.theme, cause.name]);
    if (ratio < (errors.get(line)?.ratio ?? minContrast))
      errors.set(line, { file, line, field: cause.name, reason, ratio });
  }
  return [...errors.values()].map(({ ratio: _, ...error }) => error);
}

const steps = 100;

/** The same colour, only so much lighter or darker that text can be read; undefined where neither is enough. */
export function findReadableColour(
  colours: BrandColours,
  theme: ThemeName,
  name: string,
): string | undefined {
  const written = parseColour(findColour(colours, theme, name)?.value ?? '');
  if (!written) return undefined;
  const isReadable = (value: string) => {
    const changed = { ...colours, [theme]: { ...colours[theme], [name]: value } };
    const own = listContrasts(changed).filter(({ cause }) => cause.theme === theme && cause.name === name);
    return own.every(({ ratio }) => ratio >= minContrast);
  };
  const mixed = Array.from({ length: steps + 1 }, (_, step) =>
    [0, 1].map(end => formatHex(written.map(part => part + ((end - part) * step) / steps) as LinearRgb)),
  );
  return mixed.flat().find(isReadable);
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
