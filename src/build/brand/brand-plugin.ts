import type { Plugin, ResolvedConfig } from 'vite';
import type { Content } from '../../content/schemas/all-schemas.ts';
import { getContentApi } from '../content-plugin.ts';
import { siteStyles } from '../reload-pages.ts';
import { renderBrandCss } from './render-brand-css.ts';

export function brandPlugin(siteUrl: string): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'brand',
    enforce: 'pre',
    configResolved(resolved) {
      config = resolved;
    },
    transform(code, id) {
      if (!siteStyles.test(id)) return undefined;
      const { brand, company } = getContentApi({ config }).getContent().content;
      return [code, renderBrandCss(brand, id.split('?')[0] ?? id), renderPrintCss(company, siteUrl)].join(
        '\n',
      );
    },
  };
}

/** In the style sheet for print, so that no page grows by what only paper shows. */
function renderPrintCss({ phone, email, address }: Content['company'], siteUrl: string): string {
  const contact = JSON.stringify([phone, email, ...address].join(' · '));
  const site = siteUrl ? `--site: ${JSON.stringify(siteUrl)};` : '';
  return `@media print { :root { --contact: ${contact}; ${site} } }`;
}
