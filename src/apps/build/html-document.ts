import { iconPaths } from '../../lib/icon-paths.ts';
import type { RenderedPage } from '../../ui/rendered-page.ts';
import type { JsonLd } from './seo/json-ld.ts';
import { manifestPath } from './seo/web-manifest.ts';
import { printAndContrastMedia } from './styles/split-styles.ts';

export type Assets = {
  boot: string;
  styles: { url: string } | PageStyles;
  font?: string;
  chunks: Record<string, string>;
  pages: Record<string, string>;
  colour: string;
  digests?: Record<string, string>;
};

export type PageStyles = { css: string; printAndContrast: string };

export type PageSeo = { tags: string; jsonLd?: JsonLd | undefined };

export function renderDocument(page: RenderedPage, assets: Assets, seo: PageSeo = { tags: '' }): string {
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    assets.font ? `<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>` : '',
    page.head,
    seo.tags,
    `<meta name="theme-color" content="${assets.colour}">`,
    `<link rel="icon" href="${iconPaths.tab}" type="image/svg+xml">`,
    `<link rel="apple-touch-icon" href="${iconPaths.touch}">`,
    `<link rel="manifest" href="${manifestPath}">`,
    ...renderStyles(assets),
    `<script type="module" src="${assets.boot}"${integrity(assets, assets.boot)} fetchpriority="low"></script>`,
  ];
  return [
    '<!doctype html>',
    `<html lang="en-GB"><head>${head.join('')}</head>`,
    `<body data-page="${page.page}"><div id="root">${page.body}</div>`,
    `<script type="application/json" id="_chunks">${dataBlock({ ...assets.chunks, [page.page]: assets.pages[page.page] })}</script>`,
    seo.jsonLd ? `<script type="application/ld+json">${dataBlock(seo.jsonLd)}</script>` : '',
    '</body></html>\n',
  ].join('');
}

function renderStyles(assets: Assets): string[] {
  const { styles } = assets;
  if ('url' in styles) return [`<link rel="stylesheet" href="${styles.url}">`];
  return [
    `<style>${styles.css}</style>`,
    `<link rel="stylesheet" href="${styles.printAndContrast}" media="${printAndContrastMedia}"${integrity(assets, styles.printAndContrast)}>`,
  ];
}

function integrity({ digests }: Assets, url: string): string {
  return digests ? ` integrity="${digests[url]}"` : '';
}

function dataBlock(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
