import type { Plugin, ViteDevServer } from 'vite';
import { readSite, type SiteResult } from '../content/blog/read-site.ts';
import type { BlogView, Post } from '../content/blog/types.ts';
import { fitToHosting } from '../content/hosting.ts';
import { describeMistake, type Mistake, readContent } from '../content/read.ts';
import type { Content } from '../content/schemas.ts';
import { readWordings } from '../content/wording.ts';
import type { PageSettings } from '../site/page-settings.ts';
import { createDevViews } from './blog/dev-views.ts';
import { embedPanel, showMistakes, writePanel } from './mistake-panel.ts';
import { hostingOf } from './page-settings.ts';
import { onChange, reloadPages } from './reload.ts';

const prefix = 'content:';

/** What the dev server shows beside what modules import: posts are in no module. */
export type ServedWords = { content: Content; views: BlogView[] };

/**
 * Lets the site import the owner's words: `import home from 'content:home'`, checked and turned into data. Posts cannot be
 * imported, so that no script ever holds one.
 */
export function contentPlugin(folder: string, settings: PageSettings): Plugin {
  /** The last words without a mistake: while one is being mended, the pages go on showing them. */
  let good: { content: Content; posts: Post[] } | undefined;
  let mistakes: Mistake[] = [];
  let isServed = false;

  const listViews = createDevViews();

  function read(): void {
    // A build has read the posts already, and no module can ask for one.
    const { content, posts, mistakes: found } = isServed ? readSite(folder) : readAlone(folder);
    if (content && posts) good = { content: fitToHosting(content, hostingOf(settings)), posts };
    mistakes = found;
  }

  function words(): NonNullable<typeof good> {
    if (!good) read();
    if (!good) throw new Error(mistakes.map(describeMistake).join('\n'));
    return good;
  }

  function serve(): ServedWords {
    const { content, posts } = words();
    return { content, views: listViews(content, posts) };
  }

  function tell(): { panel: string } {
    return { panel: writePanel(mistakes, good !== undefined) };
  }

  function followChanges(server: ViteDevServer): void {
    const { hot } = server.environments.client;
    const warn = () => server.config.logger.warn(mistakes.map(describeMistake).join('\n'));
    if (mistakes.length > 0) warn();
    hot.on('content:ask', (_, client) => client.send('content:mistakes', tell()));
    onChange(server, folder, () => {
      const before = JSON.stringify(good);
      read();
      if (mistakes.length > 0) warn();
      if (JSON.stringify(good) === before) hot.send('content:mistakes', tell());
      else reloadPages(server, id => id.startsWith(`\0${prefix}`));
    });
  }

  return {
    name: 'content',
    api: { serve },
    configResolved({ command }) {
      isServed = command === 'serve';
    },
    buildStart() {
      if (!isServed) good = undefined;
    },
    resolveId: id => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      if (id === `\0${prefix}settings`) return `export default ${JSON.stringify(settings)}`;
      return `export default ${JSON.stringify(pick(words().content, id.slice(prefix.length + 1)))}`;
    },
    configureServer(server) {
      read();
      followChanges(server);
    },
    transformIndexHtml(html) {
      if (!isServed) return undefined;
      const script = {
        tag: 'script',
        attrs: { type: 'module', src: showMistakes },
        injectTo: 'head' as const,
      };
      return { html: html.replace('</body>', () => `${embedPanel(tell().panel)}</body>`), tags: [script] };
    },
  };
}

function readAlone(folder: string): SiteResult {
  return { ...readContent(folder), posts: [] };
}

/** The words as they are now, or as they were before a mistake. */
export function servedWords({ config }: ViteDevServer): ServedWords {
  const { api } = config.plugins.find(({ name }) => name === 'content') ?? {};
  return (api as { serve(): ServedWords }).serve();
}

function pick(content: Content, name: string): unknown {
  if (name === 'service-summaries')
    return content.services.services.map(({ description: _, ...summary }) => summary);
  if (name === 'newsletter-answers') return content.newsletter.answers;
  if (name === 'wordings')
    return Object.fromEntries(Object.entries(readWordings(content)).map(([form, { id }]) => [form, id]));
  if (name in content) return content[name as keyof Content];
  throw new Error(`There is no content named '${name}'`);
}
