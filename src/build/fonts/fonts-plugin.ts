import { join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { findCharacters, unicodeRange } from './characters.ts';
import { cutFont } from './cut-font.ts';

/** The weights are those that pages are set in. `isTyped`: visitors write in it, and may need any letter. */
const fonts = [
  { family: 'Instrument Sans', file: 'instrument-sans', weights: { min: 400, max: 700 }, isTyped: true },
  { family: 'Geist Mono', file: 'geist-mono', weights: { min: 400, max: 600 }, isTyped: false },
];

type Weights = { min: number; max: number };
type FontFolders = { root: string; site: string; content: string };

/**
 * Declares the fonts at the end of site.css. In a build a font is cut to the characters that the site itself uses; all
 * others are in a second file, which a browser fetches when a visitor types one of them. While the sources are being
 * edited the fonts are whole.
 */
export function fontsPlugin({ root, site, content }: FontFolders): Plugin {
  const styles = join(site, 'styles/site.css');
  const addressOf = (file: string) => `/${relative(root, file).replaceAll('\\', '/')}`;
  let isServed = false;

  async function declare(): Promise<string[]> {
    const { used, spare } = findCharacters([content, site]);
    const faces = fonts.flatMap(({ family, file, weights, isTyped }) => {
      const source = join(site, `fonts/${file}.woff2`);
      if (isServed) return [Promise.resolve(face(family, weights, addressOf(source)))];
      const part = async (name: string, characters: number[], range?: string) =>
        face(family, weights, addressOf(await cutFont(source, name, { characters, weights })), range);
      if (!isTyped) return [part(file, used)];
      return [part(file, used, unicodeRange(used)), part(`${file}-spare`, spare, unicodeRange(spare, used))];
    });
    return Promise.all(faces);
  }

  return {
    name: 'fonts',
    // Before Tailwind, which takes the whole sheet at once.
    enforce: 'pre',
    configResolved({ command }) {
      isServed = command === 'serve';
    },
    async transform(code, id) {
      if (id.split('?')[0] !== styles) return undefined;
      return { code: [code, ...(await declare())].join('\n'), map: null };
    },
  };
}

/** Optional: a font that is late is for the next page, because no word may move under a reader's eyes. */
function face(family: string, weights: Weights, address: string, range = ''): string {
  const rules = [
    `font-family: "${family}"`,
    `src: url("${address}") format("woff2")`,
    `font-weight: ${weights.min} ${weights.max}`,
    'font-display: optional',
    ...(range ? [`unicode-range: ${range}`] : []),
  ];
  return `@font-face { ${rules.join('; ')} }`;
}
