import { join, resolve } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { buildParts } from '../../features.build.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import { brandPlugin } from './brand/brand-plugin.ts';
import { contentPlugin } from './content-plugin.ts';
import { defaultPageSettings } from './create-page-settings.ts';
import { illustrationsPlugin } from './illustrations-plugin.ts';
import { seoPlugin } from './seo/seo-plugin.ts';
import { listSitePages, listVariants } from './site-parts.ts';
import { sitePlugin } from './site-plugin.ts';

export const root = resolve(import.meta.dirname, '../../..');
export const uiFolder = join(root, 'src/ui');
export const contentFolder = join(root, 'content');

export const pageChunksPlaceholder = '@page-chunks@';

function listAliases(settings: PageSettings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(listVariants(settings)).map(([id, file]) => [id, join(root, file)]),
  );
}

export function commonConfig(
  settings = defaultPageSettings,
  pageChunks = '{}',
  content = contentFolder,
): InlineConfig {
  return {
    configFile: false,
    root,
    publicDir: false,
    cacheDir: join(root, '.cache/vite'),
    logLevel: 'warn',
    resolve: { alias: listAliases(settings) },
    define: { 'import.meta.env.PAGE_CHUNKS': pageChunks },
    plugins: [
      react(),
      tailwind(),
      contentPlugin(content, settings),
      sitePlugin(root, settings),
      illustrationsPlugin(join(uiFolder, 'illustrations')),
      seoPlugin(settings),
      brandPlugin(settings.SITE_URL),
    ],
  };
}

const quiet = { bundlerTimings: false };

export function clientConfig(outDir: string, settings: PageSettings): InlineConfig {
  const pages = listSitePages(settings).map(({ name, file }) => [name, join(root, file)]);
  return {
    ...commonConfig(settings, JSON.stringify(pageChunksPlaceholder)),
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
          boot: join(uiFolder, 'boot.ts'),
          main: join(uiFolder, 'main.tsx'),
          styles: join(uiFolder, 'styles/site.css'),
          ...Object.fromEntries(pages),
        },
        preserveEntrySignatures: 'strict',
        output: {
          entryFileNames: 'static/js/[name]-[hash].js',
          chunkFileNames: 'static/js/[name]-[hash].js',
          assetFileNames: 'static/[ext]/[name]-[hash][extname]',
          codeSplitting: {
            // What two entries need is in one chunk, fetched with React: a page's chunk then imports nothing else.
            groups: [{ name: 'shared', minShareCount: 2 }],
          },
        },
      },
    },
  };
}

export function prerenderConfig(outDir: string, settings: PageSettings): InlineConfig {
  return serverBundleConfig(outDir, commonConfig(settings), {
    prerender: join(root, 'src/apps/build/prerender.tsx'),
    ...Object.fromEntries(buildParts.flatMap(listServerModules)),
  });
}

function listServerModules({ name: feature, serverModules = {} }: (typeof buildParts)[number]) {
  return Object.entries(serverModules).map(([name, file]) => [
    name,
    join(root, 'src/features', feature, file),
  ]);
}

/** Modules that Node runs: the renderer of the pages, and that of the desk. */
export function serverBundleConfig(
  outDir: string,
  common: InlineConfig,
  input: Record<string, string>,
): InlineConfig {
  return {
    ...common,
    // React for production, which renders many times faster, in the server's process as well.
    define: { ...common.define, 'process.env.NODE_ENV': '"production"' },
    // The folder of the build may be on another disk, from where node_modules is not found.
    ssr: { noExternal: true },
    build: {
      outDir,
      emptyOutDir: true,
      ssr: true,
      rolldownOptions: {
        checks: quiet,
        input,
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  };
}
