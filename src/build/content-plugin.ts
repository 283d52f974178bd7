import type { Plugin, ViteDevServer } from 'vite';
import type { BlogView } from '../content/blog/blog-types.ts';
import { readSite, type SiteResult } from '../content/blog/read-site.ts';
import { readConsentTexts } from '../content/consent-texts.ts';
import { type ContentError, describeContentError } from '../content/content-error.ts';
import { adaptToHosting } from '../content/hosting.ts';
import { readContent } from '../content/read-content.ts';
import type { Content } from '../content/schemas/all-schemas.ts';
import { selectPageBrand } from '../content/schemas/brand.ts';
import { systemClock } from '../lib/clock.ts';
import type { PageSettings } from '../site/page-settings.ts';
import { highlight } from './blog/highlight.ts';
import { planBlog } from './blog/plan-blog.ts';
import { embedErrorPanel, overlayScript, renderErrorPanel } from './error-overlay.ts';
import { getHosting } from './page-settings.ts';
import { onChange, reloadPages } from './reload-pages.ts';
import { getOpenGraphVersion } from './seo/open-graph-images.ts';

const prefix = 'content:';

export type ServedContent = { content: Content; views: BlogView[] };

/** `import home from 'content:home'`: validated content. Posts cannot be imported, so no script contains one. */
export function contentPlugin(folder: string, settings: PageSettings): Plugin {
  let valid: ServedContent | undefined;
  let errors: ContentError[] = [];
  let isServed = false;

  function read(): void {
    const result: SiteResult = isServed ? readSite(folder) : { ...readContent(folder), posts: [] };
    errors = result.errors;
    if (!result.content || !result.posts) return;
    const content = adaptToHosting(result.content, getHosting(settings));
    // Drafts and future posts included: the owner previews them.
    const posts = result.posts.map(post => ({ ...post, body: highlight(post.body) }));
    valid = { content, views: planBlog(posts, content.blog) };
  }

  function getContent(): ServedContent {
    if (!valid) read();
    if (!valid) throw new Error(errors.map(describeContentError).join('\n'));
    return valid;
  }

  function getErrorPanel(): { panel: string } {
    return { panel: renderErrorPanel(errors, valid !== undefined) };
  }

  function followChanges(server: ViteDevServer): void {
    const { hot } = server.environments.client;
    const warn = () => server.config.logger.warn(errors.map(describeContentError).join('\n'));
    if (errors.length > 0) warn();
    hot.on('content:request-errors', (_, client) => client.send('content:errors', getErrorPanel()));
    onChange(server, folder, () => {
      const before = JSON.stringify(valid);
      read();
      if (errors.length > 0) warn();
      if (JSON.stringify(valid) === before) hot.send('content:errors', getErrorPanel());
      else reloadPages(server, id => id.startsWith(`\0${prefix}`));
    });
  }

  return {
    name: 'content',
    api: { getContent },
    configResolved({ command }) {
      isServed = command === 'serve';
    },
    buildStart() {
      if (!isServed) valid = undefined;
    },
    resolveId: id => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const name = id.slice(prefix.length + 1);
      const data = name === 'settings' ? settings : selectModule(getContent().content, name, settings);
      return `export default ${JSON.stringify(data)}`;
    },
    configureServer(server) {
      read();
      followChanges(server);
    },
    transformIndexHtml(html) {
      if (!isServed) return undefined;
      const script = {
        tag: 'script',
        attrs: { type: 'module', src: overlayScript },
        injectTo: 'head' as const,
      };
      return {
        html: html.replace('</body>', () => `${embedErrorPanel(getErrorPanel().panel)}</body>`),
        tags: [script],
      };
    },
  };
}

export function getServedContent({ config }: ViteDevServer): ServedContent {
  const { api } = config.plugins.find(({ name }) => name === 'content') ?? {};
  return (api as { getContent(): ServedContent }).getContent();
}

function selectModule(content: Content, name: string, { SITE_URL }: PageSettings): unknown {
  if (name === 'service-summaries')
    return content.services.services.map(({ description: _, ...summary }) => summary);
  if (name === 'brand') return selectPageBrand(content.brand, systemClock.now());
  if (name === 'newsletter-answers') return content.newsletter.answers;
  if (name === 'consent-texts')
    return Object.fromEntries(Object.entries(readConsentTexts(content)).map(([form, { id }]) => [form, id]));
  if (name === 'open-graph-version') return SITE_URL ? getOpenGraphVersion(content, SITE_URL) : '';
  if (name in content) return content[name as keyof Content];
  throw new Error(`There is no content named '${name}'`);
}
