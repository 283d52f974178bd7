export type Light = [red: number, green: number, blue: number];

export type Declared = { value: string; line: number };

export type Theme = {
  house: Record<string, Declared>;
  worlds: Record<string, Record<string, Declared>>;
};

export function readTheme(css: string): Theme {
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

export function resolveColour({ house, worlds }: Theme, world: string, name: string): Declared | undefined {
  const colours = worlds[world] ?? {};
  const declared = colours[name];
  const [, other = ''] = /^var\(--([\w-]+)\)$/.exec(declared?.value ?? '') ?? [];
  return colours[other] ?? house[other] ?? declared;
}

export function readColour(value: string): Light | undefined {
  const [, hex] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value) ?? [];
  if (hex) {
    const digits = hex.length === 3 ? [...hex].map(digit => digit + digit) : (hex.match(/../g) ?? []);
    return digits.map(pair => toLight(Number.parseInt(pair, 16) / 255)) as Light;
  }
  const [, lightness, chroma, hue] = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(value) ?? [];
  if (!lightness) return undefined;
  const light = fromOklch(Number(lightness) / 100, Number(chroma), Number(hue));
  return light.map(part => Math.min(Math.max(part, 0), 1)) as Light;
}

export function hexOf(theme: Theme, world: string, name: string): string {
  const light = readColour(resolveColour(theme, world, name)?.value ?? '');
  if (!light) throw new Error(`theme.css has no colour '${name}' in the world '${world}'`);
  return writeHex(light);
}

/** A third of the bytes, where sRGB contains the colour. */
export function shortenColours(sheet: string): string {
  return sheet.replaceAll(/oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)/g, (value, lightness, chroma, hue) => {
    const light = fromOklch(Number(lightness) / 100, Number(chroma), Number(hue));
    return light.every(part => part > -0.002 && part < 1.002) ? writeHex(light) : value;
  });
}

function writeHex(light: Light): string {
  const parts = light.map(part => Math.round(fromLight(Math.min(Math.max(part, 0), 1)) * 255).toString(16));
  return `#${parts.map(part => part.padStart(2, '0')).join('')}`;
}

function toLight(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function fromLight(part: number): number {
  return part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
}

/** The matrices of CSS Color 4. */
function fromOklch(lightness: number, chroma: number, hue: number): Light {
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
