import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BlogView } from '../../content/blog/blog-types.ts';
import type { Content } from '../../content/schemas/all-schemas.ts';
import { keepMade, keptFolders, keyOf } from '../build-cache.ts';
import { readThemeColours, themeColourAsHex } from '../theme-colours.ts';
import type { PictureLook, PictureWords } from './draw-open-graph-image.ts';
import { type FoundPage, listFound } from './indexed-pages.ts';

export type Picture = { path: string; key: string; words: PictureWords; look: PictureLook };

const siteFolder = resolve(import.meta.dirname, '../../site');
const colourNames = ['surface', 'high', 'text', 'muted', 'accent', 'attention'] as const;

export function planPictures(
  { company }: Pick<Content, 'company'>,
  pages: FoundPage[],
  siteUrl: string,
): Picture[] {
  const theme = readThemeColours(readSite('styles/theme.css'));
  const colours = Object.fromEntries(
    colourNames.map(name => [name, themeColourAsHex(theme, 'ink', name)]),
  ) as PictureLook['colours'];
  const icon = readIcon();
  const { host } = new URL(siteUrl);
  const ofMeans = keyOf(...means());
  const drawn = new Map(pages.map(page => [page.picturePath, page]));
  return [...drawn].map(([path, { label, picture, art }]) => {
    const words = { logoText: company.logoText, label, heading: picture, host };
    const look = { art: readSite(`illustrations/${art}.svg`), icon, colours };
    return { path, key: keyOf(words, look, ofMeans), words, look };
  });
}

/** In the pictures' addresses, so that chats fetch a changed one. The blog's have versions of their own. */
export function versionOf(content: Content, siteUrl: string): string {
  const pictures = planPictures(content, listFound(content), siteUrl);
  return keyOf(pictures.map(({ key }) => key)).slice(0, 8);
}

export function nameShares(content: Content, views: BlogView[], siteUrl: string | undefined): BlogView[] {
  if (!siteUrl) return views;
  const pages = listFound(content, views);
  const keys = new Map(planPictures(content, pages, siteUrl).map(({ path, key }) => [path, key]));
  const pathOf = new Map(pages.map(({ path, picturePath }) => [path, picturePath]));
  return views.map(view => {
    const path = pathOf.get(view.path) ?? '';
    return { ...view, head: { ...view.head, share: `${path}?v=${keys.get(path)?.slice(0, 8)}` } };
  });
}

export function drawOnce({ key, words, look }: Picture): Promise<Buffer> {
  return keepMade(keptFolders.pictures, key, async () => {
    const { drawPicture } = await import('./draw-open-graph-image.ts');
    return drawPicture(words, look);
  });
}

export function siteColour(): string {
  return themeColourAsHex(readThemeColours(readSite('styles/theme.css')), 'ink', 'surface');
}

export function readIcon(): string {
  return readSite('public/icon.svg');
}

/** The code and the fonts that draw, as part of the cache key. */
export function means(): string[] {
  const code = ['draw-open-graph-image.ts', 'fit-heading.ts', 'canvas.ts', 'icons.ts'].map(file =>
    join(import.meta.dirname, file),
  );
  const fonts = ['instrument-sans', 'geist-mono'].map(name =>
    join(import.meta.dirname, `fonts/${name}.woff2`),
  );
  return [...code, ...fonts].map(file => readFileSync(file, 'base64'));
}

function readSite(file: string): string {
  return readFileSync(join(siteFolder, file), 'utf8');
}
