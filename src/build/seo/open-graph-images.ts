import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BlogView } from '../../content/blog/blog-types.ts';
import type { Content } from '../../content/schemas/all-schemas.ts';
import { cacheFolders, createCacheKey, getCachedOrCreate } from '../build-cache.ts';
import { readThemeColours, themeColourAsHex } from '../theme-colours.ts';
import type { ImageStyle, ImageTexts } from './draw-open-graph-image.ts';
import { type IndexedPage, listIndexedPages } from './indexed-pages.ts';

export type OpenGraphImage = { path: string; key: string; texts: ImageTexts; style: ImageStyle };

const siteFolder = resolve(import.meta.dirname, '../../site');
const colourNames = ['surface', 'high', 'text', 'muted', 'accent', 'attention'] as const;

export function planOpenGraphImages(
  { brand }: Pick<Content, 'brand'>,
  pages: IndexedPage[],
  siteUrl: string,
): OpenGraphImage[] {
  const theme = readThemeColours(readSiteFile('styles/theme.css'));
  const colours = Object.fromEntries(
    colourNames.map(name => [name, themeColourAsHex(theme, 'ink', name)]),
  ) as ImageStyle['colours'];
  const icon = readIcon();
  const { host } = new URL(siteUrl);
  const sourcesKey = createCacheKey(...readDrawingSources());
  const drawn = new Map(pages.map(page => [page.imagePath, page]));
  return [...drawn].map(([path, { label, imageHeading, illustration }]) => {
    const texts = { logoText: brand.logoText, label, heading: imageHeading, host };
    const style = { illustration: readSiteFile(`illustrations/${illustration}.svg`), icon, colours };
    return { path, key: createCacheKey(texts, style, sourcesKey), texts, style };
  });
}

/** Part of the image URLs, so that link previews fetch a changed image. Blog pages have versions of their own. */
export function getOpenGraphVersion(content: Content, siteUrl: string): string {
  const images = planOpenGraphImages(content, listIndexedPages(content), siteUrl);
  return createCacheKey(images.map(({ key }) => key)).slice(0, 8);
}

export function addOpenGraphUrls(
  content: Content,
  views: BlogView[],
  siteUrl: string | undefined,
): BlogView[] {
  if (!siteUrl) return views;
  const pages = listIndexedPages(content, views);
  const keys = new Map(planOpenGraphImages(content, pages, siteUrl).map(({ path, key }) => [path, key]));
  const imagePaths = new Map(pages.map(({ path, imagePath }) => [path, imagePath]));
  return views.map(view => {
    const path = imagePaths.get(view.path) ?? '';
    return { ...view, meta: { ...view.meta, imageUrl: `${path}?v=${keys.get(path)?.slice(0, 8)}` } };
  });
}

export function drawCached({ key, texts, style }: OpenGraphImage): Promise<Buffer> {
  return getCachedOrCreate(cacheFolders.seoImages, key, async () => {
    const { drawOpenGraphImage } = await import('./draw-open-graph-image.ts');
    return drawOpenGraphImage(texts, style);
  });
}

export function siteColour(): string {
  return themeColourAsHex(readThemeColours(readSiteFile('styles/theme.css')), 'ink', 'surface');
}

export function readIcon(): string {
  return readSiteFile('public/icon.svg');
}

export function readDrawingSources(): string[] {
  const code = ['draw-open-graph-image.ts', 'fit-heading.ts', 'canvas.ts', 'icons.ts'].map(file =>
    join(import.meta.dirname, file),
  );
  const fonts = ['instrument-sans', 'geist-mono'].map(name =>
    join(import.meta.dirname, `fonts/${name}.woff2`),
  );
  return [...code, ...fonts].map(file => readFileSync(file, 'base64'));
}

function readSiteFile(file: string): string {
  return readFileSync(join(siteFolder, file), 'utf8');
}
