import type { LogoShape } from '../../../core/content/brand/brand-files.ts';
import { getHexColour } from '../../../core/content/brand/theme-colours.ts';
import type { Brand } from '../../../core/content/schemas/brand.ts';
import { escapeHtml } from '../../../lib/escape-html.ts';

const size = 32;
const logoSize = 25;

/** The logo in the accent colour on the dark background, as /icon.svg; every other icon is drawn from it. */
export function renderIcon({ name, logo, colours }: Brand): string {
  const [left = 0, top = 0, width = 1, height = 1] = logo.viewBox.split(' ').map(Number);
  const scale = logoSize / Math.max(width, height);
  const [x, y] = [size / 2 - (left + width / 2) * scale, size / 2 - (top + height / 2) * scale];
  const [surface, accent] = ['surface', 'accent'].map(colour => getHexColour(colours, 'ink', colour));
  const placed = [x, y].map(round).join(' ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><title>${escapeHtml(name)}</title>`,
    `<rect width="${size}" height="${size}" rx="8" fill="${surface}"/>`,
    `<g transform="translate(${placed}) scale(${round(scale)})">`,
    renderShape(logo.shape).replaceAll(/currentColor/gi, `${accent}`),
    '</g></svg>\n',
  ].join('');
}

function renderShape({ tag, attributes, children }: LogoShape): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  return `<${tag}${written.join('')}>${children.map(renderShape).join('')}</${tag}>`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
