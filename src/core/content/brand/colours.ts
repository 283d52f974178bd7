export type LinearRgb = [red: number, green: number, blue: number];

export function parseColour(value: string): LinearRgb | undefined {
  const [, hex] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value) ?? [];
  if (hex) {
    const digits = hex.length === 3 ? [...hex].map(digit => digit + digit) : (hex.match(/../g) ?? []);
    return digits.map(pair => toLinear(Number.parseInt(pair, 16) / 255)) as LinearRgb;
  }
  return parseOklch(value)?.map(clamp) as LinearRgb | undefined;
}

export function toHex(value: string): string {
  const colour = parseColour(value);
  if (!colour) throw new Error(`'${value}' is not a colour`);
  return formatHex(colour);
}

/** Undefined for a colour that a hex value cannot express. */
export function oklchToHex(value: string): string | undefined {
  const colour = parseOklch(value);
  return colour?.every(part => part > -0.002 && part < 1.002) ? formatHex(colour) : undefined;
}

function parseOklch(value: string): LinearRgb | undefined {
  const [, lightness, chroma, hue] = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(value) ?? [];
  return lightness ? fromOklch(Number(lightness) / 100, Number(chroma), Number(hue)) : undefined;
}

export function formatHex(colour: LinearRgb): string {
  const parts = colour.map(part => Math.round(fromLinear(clamp(part)) * 255).toString(16));
  return `#${parts.map(part => part.padStart(2, '0')).join('')}`;
}

function clamp(part: number): number {
  return Math.min(Math.max(part, 0), 1);
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
