export type LinearRgb = [red: number, green: number, blue: number];

export type ColourDeclaration = { value: string; line: number };

export type ThemeColours = {
  shared: Record<string, ColourDeclaration>;
  themes: Record<string, Record<string, ColourDeclaration>>;
};

export function readThemeColours(css: string): ThemeColours {
  const shared: Record<string, ColourDeclaration> = {};
  const themes: Record<string, Record<string, ColourDeclaration>> = {};
  let into = shared;
  css.split('\n').forEach((text, index) => {
    const [, theme] = /^\s*\[data-theme="([\w-]+)"\] \{/.exec(text) ?? [];
    if (/\{\s*$/.test(text)) into = theme ? {} : shared;
    if (theme) themes[theme] = into;
    const [, name, value] = /^\s*--([\w-]+):\s*(.+?)\s*;/.exec(text) ?? [];
    if (name && value) into[name] = { value, line: index + 1 };
  });
  return { shared, themes };
}

export function resolveColour(
  { shared, themes }: ThemeColours,
  theme: string,
  name: string,
): ColourDeclaration | undefined {
  const ofTheme = themes[theme] ?? {};
  const declared = ofTheme[name];
  const [, other = ''] = /^var\(--([\w-]+)\)$/.exec(declared?.value ?? '') ?? [];
  return ofTheme[other] ?? shared[other] ?? declared;
}

export function readColour(value: string): LinearRgb | undefined {
  const [, hex] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value) ?? [];
  if (hex) {
    const digits = hex.length === 3 ? [...hex].map(digit => digit + digit) : (hex.match(/../g) ?? []);
    return digits.map(pair => toLinear(Number.parseInt(pair, 16) / 255)) as LinearRgb;
  }
  const [, lightness, chroma, hue] = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(value) ?? [];
  if (!lightness) return undefined;
  const light = fromOklch(Number(lightness) / 100, Number(chroma), Number(hue));
  return light.map(part => Math.min(Math.max(part, 0), 1)) as LinearRgb;
}

export function themeColourAsHex(colours: ThemeColours, theme: string, name: string): string {
  const light = readColour(resolveColour(colours, theme, name)?.value ?? '');
  if (!light) throw new Error(`theme.css has no colour '${name}' in the theme '${theme}'`);
  return writeHex(light);
}

export function shortenColours(sheet: string): string {
  return sheet.replaceAll(/oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)/g, (value, lightness, chroma, hue) => {
    const light = fromOklch(Number(lightness) / 100, Number(chroma), Number(hue));
    return light.every(part => part > -0.002 && part < 1.002) ? writeHex(light) : value;
  });
}

function writeHex(light: LinearRgb): string {
  const parts = light.map(part => Math.round(fromLinear(Math.min(Math.max(part, 0), 1)) * 255).toString(16));
  return `#${parts.map(part => part.padStart(2, '0')).join('')}`;
}

function toLinear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function fromLinear(part: number): number {
  return part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
}

/** The matrices of CSS Color 4. */
function fromOklch(lightness: number, chroma: number, hue: number): LinearRgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
