import { join } from 'node:path';
import type { ViteDevServer } from 'vite';
import type { Problem } from '../../core/content/content-error.ts';
import { securityTxtPath } from '../../core/http/check-security-txt.ts';
import { speculationRulesPath } from '../../core/http/headers.ts';
import type { BlogView } from '../../features/blog/blog-types.ts';
import { postPath } from '../../features/blog/contract.ts';
import { getLondonDay, isDue } from '../../lib/london-day.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import { planViews } from './adapt-content.ts';
import { type CheckedPage, checkPages } from './check-site.ts';
import { getContentApi, isContentModule, type ServedContent, type SourceErrors } from './content-plugin.ts';
import { listPages } from './create-page-settings.ts';
import { renderErrorPanel } from './error-overlay.ts';
import { createErrorReport, describeProgramError } from './error-report.ts';
import { readSprite } from './illustrations-plugin.ts';
import { onChange, reloadPages, siteStyles } from './reload-pages.ts';
import { listGeneratedFiles } from './seo/seo-files.ts';
import { contentFolder, root, uiFolder } from './vite-config.ts';

type Options = {
  settings: PageSettings;
  print(lines: string[]): void;
  renderPath(path: string, view?: BlogView): Promise<string>;
  clearModules(): void;
  /** Paths of scripts and styles, which a build would have written as files. */
  assetPaths: string[];
};

/** Checks the site after each change as publishing would, and reports to the terminal and to the open pages. */
export function watchErrors(server: ViteDevServer, options: Options) {
  const { getContent, read } = getContentApi(server);
  const { hot } = server.environments.client;
  const report = createErrorReport(options.print);
  let served: ServedContent | undefined;
  let sources: SourceErrors = { problems: [], isStale: false, invalidPosts: [] };
  let pageErrors: Problem[] = [];
  let programErrors: Problem[] = [];
  let running = new AbortController();

  function getPanel(): string {
    return renderErrorPanel([...sources.problems, ...pageErrors], {
      ...sources,
      hasContent: served !== undefined,
    });
  }

  async function check(): Promise<void> {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    sources = read();
    const before = JSON.stringify(served);
    if (!sources.isStale) served = getContent();
    if (JSON.stringify(served) === before) sendPanel();
    else {
      options.clearModules();
      reloadPages(server, id => isContentModule(id) || siteStyles.test(id));
    }
    if (served) {
      try {
        pageErrors = await findPageErrors(served, sources, { ...options, signal });
        programErrors = [];
      } catch (error) {
        if (signal.aborted) return;
        // Pages show it by themselves.
        programErrors = [describeProgramError(error, root)];
      }
      sendPanel();
    }
    report([...sources.problems, ...pageErrors, ...programErrors]);
  }

  function sendPanel(): void {
    hot.send('content:errors', { panel: getPanel() });
  }

  hot.on('content:request-errors', (_, client) => client.send('content:errors', { panel: getPanel() }));
  for (const folder of [contentFolder, uiFolder, join(root, 'src/features')]) onChange(server, folder, check);
  check();
  return { getPanel, stop: () => running.abort() };
}

async function findPageErrors(
  { content, posts, views }: ServedContent,
  { invalidPosts }: SourceErrors,
  { settings, renderPath, assetPaths, signal }: Options & { signal: AbortSignal },
): Promise<Problem[]> {
  const today = getLondonDay(new Date());
  const due = posts.filter(post => isDue(post, today));
  const published = planViews(due, content, settings);
  const isUnpublished = (view: BlogView) => view.kind === 'post' && !isDue(view.post, today);
  const render = async (paths: string[], from: BlogView[]) => {
    const pages: CheckedPage[] = [];
    for (const path of paths) {
      signal.throwIfAborted();
      const view = from.find(one => one.path === path);
      pages.push({ path, html: await renderPath(path, view) });
    }
    return pages;
  };
  const { indexed } = listPages(settings, views);
  const generated = listGeneratedFiles(content, views, settings.SITE_URL || undefined, indexed);
  const files = [
    ...assetPaths,
    readSprite(`${uiFolder}/illustrations`).spriteUrl,
    ...generated.map(({ path }) => path),
    ...['/third-party-notices.txt', securityTxtPath, speculationRulesPath],
    // A link to a post is not wrong because that post has an error.
    ...invalidPosts.map(file => postPath(file.replace(/^blog\/[\d-]*|\.md$/g, ''))),
  ];
  return checkPages({
    folder: contentFolder,
    pages: await render([...listPages(settings, published).paths, '/404'], published),
    unpublished: await render(
      views.filter(isUnpublished).map(({ path }) => path),
      views,
    ),
    files,
    views,
  });
}
