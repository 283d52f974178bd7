import type { RenderedPage } from '../site/rendered-page.ts';

export type Assets = {
  boot: string;
  styles: string;
  fonts: string[];
  chunks: Record<string, string>;
  /** Of the files that pages name, by address, as `integrity` has it: none while they are being edited. */
  digests?: Record<string, string>;
};

/** The HTML document around a rendered page. */
export function writeDocument(page: RenderedPage, assets: Assets): string {
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    page.head,
    '<meta name="theme-color" content="#071310">',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    ...assets.fonts.map(
      font => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`,
    ),
    `<link rel="stylesheet" href="${assets.styles}"${integrity(assets, assets.styles)}>`,
    `<script type="module" src="${assets.boot}"${integrity(assets, assets.boot)}></script>`,
  ];
  return [
    '<!doctype html>',
    `<html lang="en-GB"><head>${head.join('')}</head>`,
    `<body data-page="${page.page}"><div id="root">${page.body}</div>`,
    `<script type="application/json" id="_chunks">${dataBlock(assets.chunks)}</script>`,
    '</body></html>\n',
  ].join('');
}

/** A file that somebody changed on its way, or on its host, is not run. */
function integrity({ digests }: Assets, address: string): string {
  return digests ? ` integrity="${digests[address]}"` : '';
}

/** JSON in a script element: a '<' could end it early. */
function dataBlock(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
