import type { Plugin, ResolvedConfig } from 'vite';
import type { Content } from '../../../features.content.ts';
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
      const { content } = getContentApi({ config }).getContent();
      return [
        code,
        renderBrandCss(content.brand, id.split('?')[0] ?? id),
        renderPrintCss(content, siteUrl),
      ].join('\n');
    },
  };
}

/** In the style sheet for print, so that no page grows by what only paper shows. */
function renderPrintCss({ brand, company, sample }: Content, siteUrl: string): string {
  const { phone, email, address } = company;
  const contact = JSON.stringify([phone, email, ...address].join(' · '));
  const site = siteUrl ? `--site: ${JSON.stringify(siteUrl)};` : '';
  const { report, stamp, note, page } = sample.sheet;
  const number = JSON.stringify(page)
    .replace('{number}', '" counter(page) "')
    .replace('{total}', '" counter(pages) "');
  return `@media print {
    :root { --contact: ${contact}; ${site} }
    @page { @bottom-right { content: ${number}; } }
    @page sample {
      @top-left { content: ${JSON.stringify(`${brand.name} · ${report}`)}; }
      @top-right { content: ${JSON.stringify(stamp)}; font-weight: 600; text-transform: uppercase; }
      @bottom-left { content: ${JSON.stringify(note)}; }
    }
    @page sample:first { @top-left { content: none; } }
  }`;
}
