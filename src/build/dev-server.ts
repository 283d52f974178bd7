import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, createServerModuleRunner } from 'vite';
import type * as Api from '../api/app.ts';
import type { AppDeps } from '../api/app.ts';
import type { Config } from '../server/config.ts';
import { pageNames } from '../site/paths.ts';
import type { RenderPage } from '../site/rendered-page.ts';
import { type Assets, writeDocument } from './document.ts';
import { listPages } from './page-list.ts';
import { pageSettings } from './page-settings.ts';
import { commonConfig } from './vite-config.ts';

export type DevServer = {
  /** The API, as its sources are now. */
  createApp(deps: AppDeps): Promise<Api.App>;
  /** Pages and modules, as their sources and words are now. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
};

/** The names under which Vite serves the sources; production has hashed files in their place. */
const assets: Assets = {
  boot: '/src/site/boot.ts',
  styles: '/src/site/styles/site.css',
  fonts: [],
  chunks: {
    main: '/src/site/main.tsx',
    ...Object.fromEntries(pageNames.map(name => [name, `/src/site/pages/${name}.tsx`])),
  },
};

/** Vite inside our own process: the same prerender as the build, on every request. */
export async function createDevServer(config: Config, server: Server): Promise<DevServer> {
  const settings = pageSettings(config);
  const { addresses } = listPages(settings);
  const vite = await createServer({
    ...commonConfig(settings),
    appType: 'custom',
    // Changes are told to the browser over the site's own port.
    server: { middlewareMode: true, hmr: { server } },
    optimizeDeps: { entries: ['src/site/main.tsx', 'src/site/pages/*.tsx'] },
  });
  const ssr = vite.environments.ssr;
  if (!ssr) throw new Error('Vite has no ssr environment');
  const runner = createServerModuleRunner(ssr as Parameters<typeof createServerModuleRunner>[0]);

  async function render(url: string): Promise<{ status: number; html: string }> {
    const path = url.split('?')[0] ?? '/';
    const { renderPage }: { renderPage: RenderPage } = await runner.import('/src/site/prerender.tsx');
    const document = writeDocument(await renderPage(path), assets);
    return {
      status: addresses.includes(path) ? 200 : 404,
      html: await vite.transformIndexHtml(url, document),
    };
  }

  return {
    async createApp(deps) {
      const api: typeof Api = await runner.import('/src/api/app.ts');
      return api.createApp(deps);
    },
    answer(request, response) {
      vite.middlewares(request, response, async () => {
        const { status, html } = await render(request.originalUrl ?? request.url ?? '/').catch(showMistake);
        response.writeHead(status, {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
        });
        response.end(html);
      });
    },
    async close() {
      await runner.close();
      await vite.close();
    },
  };
}

/** A page that says what is wrong and loads itself again when it is mended. */
function showMistake(error: unknown): { status: number; html: string } {
  const text = error instanceof Error ? error.message : String(error);
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const html = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>This page cannot be shown</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<script type="module" src="/@vite/client"></script></head>
<body><h1>This page cannot be shown</h1><pre>${escaped}</pre></body></html>`;
  return { status: 500, html };
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Kept by Vite's middlewares, which shorten `url`. */
    originalUrl?: string;
  }
}
