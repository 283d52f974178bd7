import { oklchToHex } from '../../content/brand/colours.ts';

export function shortenColours(css: string): string {
  return css.replaceAll(/oklch\([\d.% ]+\)/g, value => oklchToHex(value) ?? value);
}
