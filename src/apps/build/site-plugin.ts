import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { RoutedPage } from '../../ui/page.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import { type BuiltPage, listSitePages } from './site-parts.ts';

/** `site:pages` is what the router knows of the pages; `site:page-modules` has their components, for the build. */
export function sitePlugin(root: string, settings: PageSettings): Plugin {
  const modules: Record<string, () => string> = {
    'site:pages': () => `export const pages = ${JSON.stringify(listSitePages(settings).map(describeRoute))};`,
    'site:page-modules': () => exportModules(root, listSitePages(settings)),
  };
  return {
    name: 'site',
    resolveId: id => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
    load: id => modules[id.slice(1)]?.(),
  };
}

function describeRoute({ name, paths, document }: BuiltPage): RoutedPage {
  return { name, paths, ...(document && { isDocument: true }) };
}

function exportModules(root: string, pages: BuiltPage[]): string {
  const lines = pages.map(
    ({ file, documentFile }, index) =>
      `import * as page${index} from ${JSON.stringify(join(root, documentFile ?? file))};`,
  );
  const entries = pages.map(({ name }, index) => `${JSON.stringify(name)}: page${index}`);
  return `${lines.join('\n')}\nexport const modules = { ${entries.join(', ')} };`;
}
