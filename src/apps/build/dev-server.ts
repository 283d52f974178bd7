import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createServer } from 'vite';
import type { StartedFeatures } from '../../core/feature.ts';
import type { App, AppDeps } from '../../core/http/create-app.ts';
import type { AuditPages, ReportRenderer } from '../../features/audit/api/audit-pages.ts';
import { auditPaths } from '../../features/audit/contract.ts';
import { audit } from '../../features/audit/feature.ts';
import { splitTemplate } from '../../features/audit/requests/audit-pages.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import type * as Api from '../server/app.ts';
import type { Config } from '../server/config.ts';
import { getContentApi, InvalidContentError } from './content-plugin.ts';
import { createPageRenderer } from './create-page-renderer.ts';
import { listPages, pageSettings } from './create-page-settings.ts';
import { watchErrors } from './dev-checks.ts';
import { embedErrorPanel, overlayScript } from './error-overlay.ts';
import type { Assets } from './html-document.ts';
import { onChange } from './reload-pages.ts';
import { listSitePages } from './site-parts.ts';
import { commonConfig, contentFolder, root } from './vite-config.ts';

export type DevServer = Awaited<ReturnType<typeof createDevServer>>;

const commonAssets: Omit<Assets, 'colour' | 'pages'> = {
  boot: '/src/ui/boot.ts',
  styles: { url: '/src/ui/styles/site.css' },
  chunks: { main: '/src/ui/main.tsx' },
};

/** By default it would serve every file of the project, the database included. */
const served = ['src', 'content', 'node_modules', '.cache'].map(folder => join(root, folder));

export async function createDevServer(config: Config, server: Server, print: (lines: string[]) => void) {
  const settings = pageSettings(config, contentFolder);
  const pages = listSitePages(settings);
  const assets = {
    ...commonAssets,
    pages: Object.fromEntries(pages.map(({ name, file }) => [name, `/${file}`])),
  };
  const vite = await createServer({
    ...commonConfig(settings, JSON.stringify(assets.pages)),
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server }, fs: { allow: served } },
    optimizeDeps: { entries: ['src/ui/main.tsx', ...pages.map(({ file }) => file)] },
  });
  const renderer = createPageRenderer(vite, assets);
  const { importModule, clearModules, renderPath } = renderer;

  let hasFailed = false;
  // A page that could not be shown has loaded nothing that Vite would reload it for.
  onChange(vite, join(root, 'src'), files => {
    // Of two changes within milliseconds the watcher reports the first, and Vite may have read a file half-written.
    for (const { moduleGraph } of Object.values(vite.environments))
      for (const file of files) moduleGraph.onFileChange(file);
    clearModules();
    if (hasFailed) vite.environments.client.hot.send({ type: 'full-reload' });
    hasFailed = false;
  });

  const { getPanel, stop } = watchErrors(vite, {
    settings,
    print,
    renderPath,
    clearModules,
    assetPaths: [assets.boot, '/src/ui/styles/site.css'],
  });

  async function render(url: string): Promise<{ status: number; html: string }> {
    const path = url.split('?')[0] ?? '/';
    const { views } = getContentApi(vite).getContent();
    const document = await renderPath(
      path,
      views.find(one => one.path === path),
    );
    const html = document
      .replace('</head>', () => `<script type="module" src="${overlayScript}"></script></head>`)
      .replace('</body>', () => `${embedErrorPanel(getPanel())}</body>`);
    return {
      status: listPages(settings, views).paths.includes(path) ? 200 : 404,
      html: await vite.transformIndexHtml(url, html),
    };
  }

  const auditPages: AuditPages = {
    async getTemplate() {
      const renderer = await importModule<ReportRenderer>('/src/features/audit/pages/render-report.tsx');
      return { ...splitTemplate((await render(auditPaths.report)).html), headers: {}, ...renderer };
    },
    getNotFound: async () => ({ html: (await render('/404')).html, headers: {} }),
  };

  return {
    async createApp(deps: AppDeps, started: StartedFeatures): Promise<App> {
      const { createSiteApp } = await importModule<typeof Api>('/src/apps/server/app.ts');
      return createSiteApp(deps, started.with(audit, { auditPages }));
    },
    answer(request: IncomingMessage, response: ServerResponse): void {
      vite.middlewares(request, response, async () => {
        const url = request.originalUrl ?? request.url ?? '/';
        const { status, html } = await render(url).catch(error => {
          hasFailed = true;
          return renderErrorPage(error, getPanel());
        });
        response.writeHead(status, {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
        });
        response.end(html);
      });
    },
    async close(): Promise<void> {
      stop();
      await renderer.close();
      await vite.close();
    },
  };
}

function renderErrorPage(error: unknown, panel: string): { status: number; html: string } {
  const details = error instanceof InvalidContentError ? '' : `<pre>${escapeHtml(explain(error))}</pre>`;
  const html = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>This page cannot be shown</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>:root { color-scheme: light dark } body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem 1.25rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere }</style>
<script type="module" src="/@vite/client"></script><script type="module" src="${overlayScript}"></script></head>
<body><h1>This page cannot be shown</h1>${details}${embedErrorPanel(panel)}</body></html>`;
  return { status: 500, html };
}

function explain(error: unknown): string {
  const {
    message = String(error),
    id,
    loc,
  } = error as Partial<Error> & { id?: string; loc?: { file?: string } };
  const plain = stripVTControlCharacters(message).replaceAll(`${root}/`, '');
  const file = (loc?.file ?? id ?? '').replace(`${root}/`, '');
  return file && !plain.includes(file) ? `${file}\n${plain}` : plain;
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Kept by Vite's middlewares, which shorten `url`. */
    originalUrl?: string;
  }
}
