import { join, resolve } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import type { PageSettings } from '../site/page-settings.ts';
import { artPlugin } from './art-plugin.ts';
import { contentPlugin } from './content-plugin.ts';
import { fontsPlugin } from './fonts/fonts-plugin.ts';
import { foundPlugin } from './found/found-plugin.ts';
import { listPages } from './page-list.ts';
import { noSettings } from './page-settings.ts';
import { printPlugin } from './print-plugin.ts';

export const root = resolve(import.meta.dirname, '../..');
export const siteFolder = join(root, 'src/site');
export const contentFolder = join(root, 'content');

/** In whose place the build puts the addresses of the pages' chunks, which carry hashes. */
export const pageChunksMark = '@page-chunks@';

/** What the built site, the dev server and the tests have in common. */
export function commonConfig(settings = noSettings, pageChunks = '{}'): InlineConfig {
  return {
    configFile: false,
    root,
    publicDir: join(siteFolder, 'public'),
    cacheDir: join(root, '.cache/vite'),
    logLevel: 'warn',
    // Constants of each build, so that what a static site alone needs is in no other.
    define: {
      'import.meta.env.PAGE_CHUNKS': JSON.stringify(pageChunks),
      'import.meta.env.IS_STATIC': String(settings.CONTACT_ENDPOINT !== ''),
      'import.meta.env.COUNTS_VIEWS': String(settings.VIEWS === 'on' && settings.CONTACT_ENDPOINT === ''),
    },
    plugins: [
      react(),
      fontsPlugin({ root, site: siteFolder, content: contentFolder }),
      tailwind(),
      contentPlugin(contentFolder, settings),
      artPlugin(join(siteFolder, 'art')),
      foundPlugin(contentFolder, settings),
      printPlugin(settings.SITE_URL),
    ],
  };
}

/** How long each plugin took on a busy machine is nothing to whoever builds the site. */
const quiet = { bundlerTimings: false };

/** Every page is an entry of its own, so that its chunk has an address the loader can ask for again. */
export function clientConfig(outDir: string, settings: PageSettings): InlineConfig {
  const pages = listPages(settings).names.map(name => [name, join(siteFolder, `pages/${name}.tsx`)]);
  return {
    ...commonConfig(settings, pageChunksMark),
    build: {
      outDir,
      emptyOutDir: true,
      manifest: 'manifest.json',
      assetsInlineLimit: 0,
      modulePreload: false,
      cssMinify: true,
      reportCompressedSize: false,
      rolldownOptions: {
        checks: quiet,
        input: {
          boot: join(siteFolder, 'boot.ts'),
          main: join(siteFolder, 'main.tsx'),
          styles: join(siteFolder, 'styles/site.css'),
          ...Object.fromEntries(pages),
        },
        preserveEntrySignatures: 'strict',
        output: {
          entryFileNames: 'static/js/[name]-[hash].js',
          chunkFileNames: 'static/js/[name]-[hash].js',
          assetFileNames: 'static/[ext]/[name]-[hash][extname]',
          codeSplitting: {
            // What two entries need is in one chunk, fetched with React: a page's chunk then brings nothing but itself.
            groups: [{ name: 'shared', minShareCount: 2 }],
          },
        },
      },
    },
  };
}

/** The prerender is TSX, which Node does not run: it is bundled for the build alone. */
export function prerenderConfig(outDir: string, settings: PageSettings): InlineConfig {
  return {
    ...commonConfig(settings),
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: true,
      ssr: true,
      rolldownOptions: {
        checks: quiet,
        input: { prerender: join(siteFolder, 'prerender.tsx') },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  };
}
