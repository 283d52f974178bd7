/** A colour of the page: red, green and blue as light, from 0 to 1. */
type Light = [red: number, green: number, blue: number];

type Declared = { value: string; line: number };

/** What is read on what, in every world. WCAG 2.2 AA wants 4.5 for text. */
const pairs = [
  ['text', 'surface'],
  ['text', 'raised'],
  ['text', 'high'],
  ['muted', 'surface'],
  ['muted', 'raised'],
  ['muted', 'high'],
  ['accent', 'surface'],
  ['accent', 'raised'],
  ['accent', 'high'],
  ['on-accent', 'accent'],
  ['attention', 'surface'],
] as const;
const least = 4.5;

/** Colours of theme.css that cannot be read on one another, each at the line where it is chosen. */
export function findPoorContrast(css: string): string[] {
  const { house, worlds } = readTheme(css);
  const faults = Object.entries(worlds).flatMap(([world, colours]) => {
    const resolve = (name: string): Declared | undefined => {
      const declared = colours[name];
      const [, other = ''] = /^var\(--([\w-]+)\)$/.exec(declared?.value ?? '') ?? [];
      return colours[other] ?? house[other] ?? declared;
    };
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

/** The colours of the house, by name, and those of each world. */
function readTheme(css: string): {
  house: Record<string, Declared>;
  worlds: Record<string, Record<string, Declared>>;
} {
  const house: Record<string, Declared> = {};
  const worlds: Record<string, Record<string, Declared>> = {};
  let into = house;
  css.split('\n').forEach((text, index) => {
    const [, world] = /^\s*\[data-world="([\w-]+)"\] \{/.exec(text) ?? [];
    if (/\{\s*$/.test(text)) into = world ? {} : house;
    if (world) worlds[world] = into;
    const [, name, value] = /^\s*--([\w-]+):\s*(.+?)\s*;/.exec(text) ?? [];
    if (name && value) into[name] = { value, line: index + 1 };
  });
  return { house, worlds };
}

function readColour(value: string): Light | undefined {
  const [, hex] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value) ?? [];
  if (hex) {
    const digits = hex.length === 3 ? [...hex].map(digit => digit + digit) : (hex.match(/../g) ?? []);
    return digits.map(pair => toLight(Number.parseInt(pair, 16) / 255)) as Light;
  }
  const [, lightness, chroma, hue] = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(value) ?? [];
  return lightness ? fromOklch(Number(lightness) / 100, Number(chroma), Number(hue)) : undefined;
}

function toLight(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

/** The matrices of CSS Color 4; what a screen cannot show is cut off. */
function fromOklch(lightness: number, chroma: number, hue: number): Light {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const light: Light = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return light.map(part => Math.min(Math.max(part, 0), 1)) as Light;
}

function contrast(one: Light, other: Light): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: Light): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
