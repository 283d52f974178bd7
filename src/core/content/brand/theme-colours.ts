import type { BrandColours } from '../schemas/brand-colours.ts';
import { toHex } from './colours.ts';

export type ThemeName = keyof BrandColours;

/** A colour that brand.yaml leaves out is the same as another one. */
const sameAs: Record<ThemeName, Record<string, [theme: ThemeName, name: string]>> = {
  ink: { onAccent: ['ink', 'surface'], codeWord: ['ink', 'accent'] },
  paper: { onAccent: ['paper', 'high'] },
  mint: {
    surface: ['ink', 'accent'],
    raised: ['mint', 'surface'],
    high: ['mint', 'surface'],
    hairline: ['ink', 'hairline'],
    text: ['ink', 'surface'],
    muted: ['ink', 'high'],
    accent: ['ink', 'surface'],
    onAccent: ['mint', 'surface'],
    edge: ['ink', 'hairline'],
    attention: ['ink', 'surface'],
  },
};

export const themeNames = Object.keys(sameAs) as ThemeName[];

export type ColourSource = { value: string; theme: ThemeName; name: string };

/** The value of a colour, and the field of brand.yaml that it comes from. */
export function findColour(colours: BrandColours, theme: ThemeName, name: string): ColourSource | undefined {
  const written: Record<string, string | undefined> = colours[theme] ?? {};
  const value = written[name];
  if (value !== undefined) return { value, theme, name };
  const other = sameAs[theme][name];
  return other && findColour(colours, ...other);
}

export function getHexColour(colours: BrandColours, theme: ThemeName, name: string): string {
  return toHex(findColour(colours, theme, name)?.value ?? '');
}

export function listColours(colours: BrandColours, theme: ThemeName): [name: string, value: string][] {
  const names = new Set([...Object.keys(colours[theme] ?? {}), ...Object.keys(sameAs[theme])]);
  return [...names].map(name => [name, findColour(colours, theme, name)?.value ?? '']);
}
