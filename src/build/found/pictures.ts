import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Content } from '../../content/schemas.ts';
import { picturePath } from '../../site/paths.ts';
import { keepMade, keptFolders, keyOf } from '../kept.ts';
import { hexOf, readTheme } from '../theme.ts';
import type { PictureLook, PictureWords } from './draw-picture.ts';
import { listFound } from './pages.ts';

export type Picture = { path: string; key: string; words: PictureWords; look: PictureLook };

const siteFolder = resolve(import.meta.dirname, '../../site');
const colourNames = ['surface', 'high', 'text', 'muted', 'accent', 'attention'] as const;

/** Which pictures there are, and all that each is drawn from. */
export function planPictures(content: Content, siteUrl: string): Picture[] {
  const theme = readTheme(readSite('styles/theme.css'));
  const colours = Object.fromEntries(
    colourNames.map(name => [name, hexOf(theme, 'ink', name)]),
  ) as PictureLook['colours'];
  const icon = readIcon();
  return listFound(content).map(({ name, label, picture, art }) => {
    const words = {
      logoText: content.company.logoText,
      label,
      heading: picture,
      host: new URL(siteUrl).host,
    };
    const look = { art: readSite(`art/${art}.svg`), icon, colours };
    return { path: picturePath(name), key: keyOf(words, look, ...means()), words, look };
  });
}

/** Known to whoever keeps an old picture: with any of them, this changes. */
export function versionOf(pictures: Picture[]): string {
  return keyOf(pictures.map(({ key }) => key)).slice(0, 8);
}

export function drawOnce({ key, words, look }: Picture): Promise<Buffer> {
  return keepMade(keptFolders.pictures, key, async () => {
    const { drawPicture } = await import('./draw-picture.ts');
    return drawPicture(words, look);
  });
}

/** The ground of the dark world, for the bars of browsers and whatever stands around an icon. */
export function siteColour(): string {
  return hexOf(readTheme(readSite('styles/theme.css')), 'ink', 'surface');
}

export function readIcon(): string {
  return readSite('public/icon.svg');
}

/** The code and the fonts that draw. */
export function means(): string[] {
  const code = ['draw-picture.ts', 'fit-heading.ts', 'canvas.ts', 'icons.ts'].map(file =>
    join(import.meta.dirname, file),
  );
  const fonts = ['instrument-sans', 'geist-mono'].map(name => join(siteFolder, `fonts/${name}.woff2`));
  return [...code, ...fonts].map(file => readFileSync(file, 'base64'));
}

function readSite(file: string): string {
  return readFileSync(join(siteFolder, file), 'utf8');
}
