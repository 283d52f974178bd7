import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cacheFolders, createCacheKey, getCachedOrCreate } from '../../../core/build-cache.ts';
import type { FontFiles } from '../../../core/content/brand/brand-files.ts';
import { getHexColour } from '../../../core/content/brand/theme-colours.ts';
import type { PageView } from '../../../core/content/page-view.ts';
import type { Brand } from '../../../core/content/schemas/brand.ts';
import type { Content } from '../../../features.content.ts';
import { renderIcon } from '../brand/render-icon.ts';
import type { ImageStyle, ImageTexts } from './draw-open-graph-image.ts';
import { type IndexedPage, listIndexedPages } from './indexed-pages.ts';

export type OpenGraphImage = {
  path: string;
  key: string;
  texts: ImageTexts;
  style: ImageStyle;
  fonts: FontFiles;
};

const uiFolder = resolve(import.meta.dirname, '../../../ui');
const colourNames = ['surface', 'high', 'text', 'muted', 'accent', 'attention'] as const;

export function planOpenGraphImages(
  { brand }: Pick<Content, 'brand'>,
  pages: IndexedPage[],
  siteUrl: string,
): OpenGraphImage[] {
  const { fontFiles: fonts } = brand;
  const colours = Object.fromEntries(
    colourNames.map(name => [name, getHexColour(brand.colours, 'ink', name)]),
  ) as ImageStyle['colours'];
  const icon = renderIcon(brand);
  const fontKeys = [fonts.text, fonts.code].map(files => files.map(({ hash, weights }) => [hash, weights]));
  const { host } = new URL(siteUrl);
  const sourcesKey = createCacheKey(...readDrawingSources());
  const drawn = new Map(pages.map(page => [page.imagePath, page]));
  return [...drawn].map(([path, { label, imageHeading, illustration }]) => {
    const texts = { logoText: brand.logoText, label, heading: imageHeading, host };
    const style = { illustration: readUiFile(`illustrations/${illustration}.svg`), icon, colours };
    return { path, key: createCacheKey(texts, style, fontKeys, sourcesKey), texts, style, fonts };
  });
}

/** Part of the image URLs, so that link previews fetch a changed image. Blog pages have versions of their own. */
export function getOpenGraphVersion(content: Content, siteUrl: string): string {
  const images = planOpenGraphImages(content, listIndexedPages(content), siteUrl);
  return createCacheKey(images.map(({ key }) => key)).slice(0, 8);
}

export function addOpenGraphUrls<View extends PageView>(
  content: Content,
  views: View[],
  siteUrl: string | undefined,
): View[] {
  if (!siteUrl) return views;
  const pages = listIndexedPages(content, views);
  const keys = new Map(planOpenGraphImages(content, pages, siteUrl).map(({ path, key }) => [path, key]));
  const imagePaths = new Map(pages.map(({ path, imagePath }) => [path, imagePath]));
  return views.map(view => {
    const path = imagePaths.get(view.path) ?? '';
    return { ...view, meta: { ...view.meta, imageUrl: `${path}?v=${keys.get(path)?.slice(0, 8)}` } };
  });
}

export function drawCached({ key, texts, style, fonts }: OpenGraphImage): Promise<Buffer> {
  return getCachedOrCreate(cacheFolders.seoImages, key, async () => {
    const { drawOpenGraphImage } = await import('./draw-open-graph-image.ts');
    return drawOpenGraphImage(texts, style, fonts);
  });
}

export function siteColour({ colours }: Brand): string {
  return getHexColour(colours, 'ink', 'surface');
}

export function readDrawingSources(): string[] {
  const files = ['draw-open-graph-image.ts', 'fit-heading.ts', 'canvas.ts', 'icons.ts'].map(file =>
    join(import.meta.dirname, file),
  );
  return files.map(file => readFileSync(file, 'utf8'));
}

function readUiFile(file: string): string {
  return readFileSync(join(uiFolder, file), 'utf8');
}
