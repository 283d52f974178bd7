import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type InlineConfig, type Manifest } from 'vite';
import { createCacheKey } from '../../core/build-cache.ts';
import { hashFolder } from '../../core/hash-folder.ts';
import { findPublishedContent } from '../../core/http/current-build.ts';
import { withProductionEnv } from '../../core/settings/environment.ts';
import { readContent } from '../content.ts';
import { defaultPageSettings } from './create-page-settings.ts';
import { hashSources } from './fingerprint.ts';
import { commonConfig, root, serverBundleConfig } from './vite-config.ts';

/** The renderer of the desk's views, and the browser's files by their paths. */
export type DeskBundle = {
  render(page: object, frame: object): string;
  script: string;
  style: string;
  files: ReadonlyMap<string, { type: string; bytes: Uint8Array<ArrayBuffer> }>;
};

type BuildDeskOptions = { cache?: string; onBuild?(): void };

/** Bundles the desk, unless the cache has a bundle of the same sources. */
export async function buildDesk({
  cache = join(root, '.cache/desk'),
  onBuild,
}: BuildDeskOptions = {}): Promise<DeskBundle> {
  // The colours as published: unpublished changes may have errors, which the desk is there to correct.
  const published = findPublishedContent(root);
  const key = createCacheKey(hashSources(root), hashFolder(join(published, 'brand')));
  const folder = join(cache, key);
  if (!existsSync(folder)) {
    onBuild?.();
    // After an update of the program, what was published may lack a field that is new.
    const isReadable = readContent(published).errors.length === 0;
    const content = isReadable ? published : join(root, 'content');
    const draft = join(cache, randomUUID());
    await withProductionEnv(async () => {
      await build(clientConfig(join(draft, 'client'), content));
      await build(
        serverBundleConfig(join(draft, 'server'), commonConfig(defaultPageSettings, '{}', content), {
          render: join(desk, 'render.tsx'),
        }),
      );
    });
    deleteOthers(cache, draft);
    moveBundle(draft, folder);
  }
  return loadBundle(folder);
}

/** Another desk may have made the same one meanwhile. */
function moveBundle(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

const desk = join(root, 'src/apps/desk');

function clientConfig(outDir: string, content: string): InlineConfig {
  return {
    ...commonConfig(defaultPageSettings, '{}', content),
    build: {
      outDir,
      emptyOutDir: true,
      manifest: 'manifest.json',
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: { client: join(desk, 'client.tsx'), styles: join(desk, 'styles/desk.css') },
      },
    },
  };
}

async function loadBundle(folder: string): Promise<DeskBundle> {
  const client = join(folder, 'client');
  const manifest: Manifest = JSON.parse(readFileSync(join(client, 'manifest.json'), 'utf8'));
  const names = readdirSync(join(client, 'assets'));
  const read = (name: string) => new Uint8Array(readFileSync(join(client, 'assets', name)));
  const { render } = await import(pathToFileURL(join(folder, 'server/render.mjs')).href);
  return {
    render,
    script: `/${manifest['src/apps/desk/client.tsx']?.file}`,
    style: `/${manifest['src/apps/desk/styles/desk.css']?.file}`,
    files: new Map(
      names.map(name => [
        `/assets/${name}`,
        { type: types[extname(name)] ?? 'text/plain', bytes: read(name) },
      ]),
    ),
  };
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

const recentMs = 10 * 60_000;

/** Bundles of earlier sources. One that is being made by another desk is recent. */
function deleteOthers(cache: string, draft: string): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    const { mtimeMs } = statSync(folder);
    if (folder !== draft && Date.now() - mtimeMs > recentMs) rmSync(folder, { recursive: true, force: true });
  }
}
