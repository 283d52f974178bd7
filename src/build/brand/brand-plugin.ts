import type { Plugin, ResolvedConfig } from 'vite';
import { getContentApi } from '../content-plugin.ts';
import { siteStyles } from '../reload-pages.ts';
import { renderBrandCss } from './render-brand-css.ts';

export function brandPlugin(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'brand',
    enforce: 'pre',
    configResolved(resolved) {
      config = resolved;
    },
    transform(code, id) {
      if (!siteStyles.test(id)) return undefined;
      const { brand } = getContentApi({ config }).getContent().content;
      return `${code}\n${renderBrandCss(brand, id.split('?')[0] ?? id)}`;
    },
  };
}
