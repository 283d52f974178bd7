import type { PageName } from '../site/paths.ts';
import type { RenderedPage } from '../site/rendered-page.ts';
import type { Graph } from './found/graph.ts';
import { iconPaths } from './found/icon-paths.ts';
import { manifestPath } from './found/manifest.ts';
import { specialMedia } from './styles/split-styles.ts';

export type Assets = {
  boot: string;
  /** The address of the style sheet, while it is being edited, or what of it stands in the page. */
  styles: { address: string } | PageStyles;
  fonts: string[];
  /** What React needs on every page, and the page's own beside it. */
  chunks: Record<string, string>;
  pages: Partial<Record<PageName, string>>;
  /** Of the bars around the page. */
  colour: string;
  /** Of the files that pages name, by address, as `integrity` has it: none while they are being edited. */
  digests?: Record<string, string>;
};

/** The rules that a page needs on a screen, and the address of those for paper and for other colours. */
export type PageStyles = { sheet: string; special: string };

/** What is for those who read a page without showing it: tags in its head, and data about it. */
export type Unseen = { tags: string; graph?: Graph | undefined };

/** The HTML document around a rendered page. */
export function writeDocument(page: RenderedPage, assets: Assets, unseen: Unseen = { tags: '' }): string {
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    page.head,
    unseen.tags,
    `<meta name="theme-color" content="${assets.colour}">`,
    // Browsers that cannot draw ask for /favicon.ico by themselves.
    `<link rel="icon" href="${iconPaths.tab}" type="image/svg+xml">`,
    `<link rel="apple-touch-icon" href="${iconPaths.touch}">`,
    `<link rel="manifest" href="${manifestPath}">`,
    ...writeStyles(assets),
    // After the sheet: what paints the page first must not share the wire with them. Chromium holds the first paint back for a
    // font that a head preloads: a phone, whose line is slow, gets it without waiting.
    ...assets.fonts.map(font => preload(font, ' media="(hover:hover)"')),
    // Nothing that is seen waits for it.
    `<script type="module" src="${assets.boot}"${integrity(assets, assets.boot)} fetchpriority="low"></script>`,
  ];
  return [
    '<!doctype html>',
    `<html lang="en-GB"><head>${head.join('')}</head>`,
    `<body data-page="${page.page}"><div id="root">${page.body}</div>`,
    ...assets.fonts.map(font => preload(font, ' media="(hover:none)"')),
    `<script type="application/json" id="_chunks">${dataBlock({ ...assets.chunks, [page.page]: assets.pages[page.page] })}</script>`,
    unseen.graph ? `<script type="application/ld+json">${dataBlock(unseen.graph)}</script>` : '',
    '</body></html>\n',
  ].join('');
}

function preload(font: string, media: string): string {
  return `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin fetchpriority="low"${media}>`;
}

function writeStyles(assets: Assets): string[] {
  const { styles } = assets;
  if ('address' in styles) return [`<link rel="stylesheet" href="${styles.address}">`];
  return [
    `<style>${styles.sheet}</style>`,
    `<link rel="stylesheet" href="${styles.special}" media="${specialMedia}"${integrity(assets, styles.special)}>`,
  ];
}

/** A file that somebody changed on its way, or on its host, is not run. */
function integrity({ digests }: Assets, address: string): string {
  return digests ? ` integrity="${digests[address]}"` : '';
}

/** JSON in a script element: a '<' could end it early. */
function dataBlock(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
