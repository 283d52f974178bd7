import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { RoutedPage } from '../../ui/page.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import { type BuiltPage, listFillings, listSitePages } from './site-parts.ts';

const slotPrefix = 'slot:';

/**
 * `site:pages` is what the router knows of the pages, `site:page-modules` has their components, and `slot:NAME` what features
 * put there: a page's script has no more of a feature than it shows.
 */
export function sitePlugin(root: string, settings: PageSettings): Plugin {
  function write(id: string): string | undefined {
    if (id === 'site:pages')
      return `export const pages = ${JSON.stringify(listSitePages(settings).map(describeRoute))};`;
    if (id === 'site:page-modules') return exportModules(root, listSitePages(settings));
    if (!id.startsWith(slotPrefix)) return undefined;
    return exportSlot(listFillings(id.slice(slotPrefix.length), settings).map(file => join(root, file)));
  }
  return {
    name: 'site',
    resolveId: id => (/^(slot:|site:pages$|site:page-modules$)/.test(id) ? `\0${id}` : undefined),
    load: id => (id.startsWith('\0') ? write(id.slice(1)) : undefined),
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

function exportSlot(files: string[]): string {
  const [file, ...others] = files.map(path => JSON.stringify(path));
  if (!file) return 'export const isFilled = false; export const Slot = () => null;';
  const isFilled = 'export const isFilled = true;';
  if (others.length === 0) return `${isFilled} export { Component as Slot } from ${file};`;
  const imports = [file, ...others].map((path, index) => `import { Component as c${index} } from ${path};`);
  const elements = imports.map((_, index) => `createElement(c${index}, props)`);
  return `import { createElement, Fragment } from 'react'; ${imports.join(' ')} ${isFilled}
export const Slot = props => createElement(Fragment, null, ${elements.join(', ')});`;
}
