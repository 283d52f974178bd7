import { oklchToHex } from '../../content/brand/colours.ts';

export function shortenColours(sheet: string): string {
  return sheet.replaceAll(/oklch\([\d.% ]+\)/g, value => oklchToHex(value) ?? value);
}
