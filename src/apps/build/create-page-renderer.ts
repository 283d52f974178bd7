import { createServerModuleRunner, type ViteDevServer } from 'vite';
import type { RenderPage } from '../../ui/rendered-page.ts';
import { getContentApi } from './content-plugin.ts';
import { type Assets, renderDocument } from './html-document.ts';
import { siteColour } from './seo/open-graph-images.ts';

/** Renders pages from the sources, as Vite serves them. */
export function createPageRenderer(vite: ViteDevServer, assets: Omit<Assets, 'colour'>) {
  const ssr = vite.environments.ssr;
  if (!ssr) throw new Error('Vite has no ssr environment');
  // The runner's own hot reload misses a change while it imports, and would show an earlier error or text from then on.
  const runner = createServerModuleRunner(ssr as Parameters<typeof createServerModuleRunner>[0], {
    hmr: false,
  });

  async function importModule<Module>(path: string): Promise<Module> {
    try {
      return await runner.import(path);
    } catch (error) {
      runner.clearCache();
      throw error;
    }
  }

  return {
    importModule,
    clearModules: () => runner.clearCache(),
    async renderPath(path: string, view?: object): Promise<string> {
      const { renderPage } = await importModule<{ renderPage: RenderPage }>('/src/apps/build/prerender.tsx');
      const { brand } = getContentApi(vite).getContent().content;
      return renderDocument(await renderPage(path, view), { ...assets, colour: siteColour(brand) });
    },
    close: () => runner.close(),
  };
}
