import { dirname, relative } from 'node:path';
import type { FontFile } from '../../../core/content/brand/brand-files.ts';
import { findColour, listColours, type ThemeName } from '../../../core/content/brand/theme-colours.ts';
import type { Brand } from '../../../core/content/schemas/brand.ts';
import { listFallbacks, renderFallbackFaces } from './font-fallbacks.ts';

/** The colours and fonts of brand.yaml, to be added to the style sheet at `path`. */
export function renderBrandCss({ colours, fonts, fontFiles }: Brand, path: string): string {
  const theme = (name: ThemeName) =>
    listColours(colours, name)
      .map(([colour, value]) => `--${toKebabCase(colour)}: ${value};`)
      .join(' ');
  const colour = (name: ThemeName, of: string) => findColour(colours, name, of)?.value;
  const darker = (of: string) => `color-mix(in oklab, ${colour('paper', of)}, black 25%)`;
  const families = [fonts.text.family, ...listFallbacks()].map(name => `"${name}"`).join(', ');
  const faces = [
    renderFallbackFaces(fontFiles.text),
    // Of faces with the same character, browsers take the last: here that of the file named first.
    ...fontFiles.text.map(file => renderFace(fonts.text.family, file, path)).toReversed(),
  ];
  return `
@layer theme {
  :root { --text-family: ${families}, sans-serif; }
  [data-theme="ink"] { ${theme('ink')} }
  :root, [data-theme="paper"] { ${theme('paper')} }
  [data-theme="mint"] { ${theme('mint')} }
  @media (prefers-contrast: more) {
    [data-theme="ink"] { --edge: ${colour('ink', 'muted')}; }
    :root, [data-theme="paper"] { --edge: ${colour('paper', 'muted')}; --accent: ${darker('accent')}; --attention: ${darker('attention')}; }
  }
}
${faces.join('\n')}
`;
}

function renderFace(
  family: string,
  { path, weights: [min, max], unicodeRange }: FontFile,
  from: string,
): string {
  const url = relative(dirname(from), path).replaceAll('\\', '/');
  return `@font-face {
  font-family: "${family}";
  src: url("${url}") format("woff2");
  font-weight: ${min === max ? min : `${min} ${max}`};
  font-display: swap;${unicodeRange ? `\n  unicode-range: ${unicodeRange};` : ''}
}`;
}

function toKebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}
