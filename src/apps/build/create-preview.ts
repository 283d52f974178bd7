import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import type { FontFile } from '../../core/content/brand/brand-files.ts';
import { describeProblem } from '../../core/content/content-error.ts';
import { getContentType } from '../../core/http/static-files.ts';
import { getContentApi, isContentModule, type ServedContent, type SourceErrors } from './content-plugin.ts';
import { createPageRenderer } from './create-page-renderer.ts';
import { type BuildConfig, listPages, pageSettings } from './create-page-settings.ts';
import { createDraftFolder, type Draft } from './draft-folder.ts';
import { readSprite } from './illustrations-plugin.ts';
import { listIndexedPages } from './seo/indexed-pages.ts';
import { findGeneratedFile } from './seo/seo-plugin.ts';
import { commonConfig, uiFolder } from './vite-config.ts';

/** `html` is missing where the site has no such page, or no page can be shown because content/ has errors. */
export type PreviewPage = { problems: string[]; isStale: boolean; html?: string };

export type PreviewFile = { type: string; bytes: Uint8Array<ArrayBuffer> };

export type Preview = Awaited<ReturnType<typeof createPreview>>;

type Options = {
  config: BuildConfig;
  /** content/ */
  folder: string;
  /** Where the pages of the preview are: every path in them begins with it. */
  base: string;
};

const styles = '/src/ui/styles/site.css';

/** The pages of the site as they would be with changes that are not saved. */
export async function createPreview({ config, folder, base }: Options) {
  const settings = pageSettings(config, folder);
  const drafts = createDraftFolder(folder);
  const vite = await createServer({
    ...commonConfig(settings, '{}', drafts.path),
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const { client } = vite.environments;
  const { read, getContent } = getContentApi(vite);
  const renderer = createPageRenderer(vite, {
    boot: '',
    styles: { url: '/style.css' },
    chunks: {},
    pages: {},
  });
  let shown = '';
  let last = Promise.resolve<unknown>(undefined);

  /** One at a time: all read the same folder. */
  function queue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  function applyDraft(draft: Draft | undefined): SourceErrors {
    drafts.write(draft);
    const errors = read();
    const { content } = errors.isStale ? {} : getContent();
    const latest = JSON.stringify(content);
    if (!content || latest === shown) return errors;
    shown = latest;
    for (const { moduleGraph } of Object.values(vite.environments)) {
      for (const [id, module] of moduleGraph.idToModuleMap)
        if (isContentModule(id) || module.file?.endsWith(styles)) moduleGraph.invalidateModule(module);
    }
    renderer.clearModules();
    return errors;
  }

  /** Also where content/ never was valid since the preview began. */
  function findContent(): ServedContent | undefined {
    try {
      return getContent();
    } catch {
      return undefined;
    }
  }

  async function render(path: string): Promise<string | undefined> {
    const { views = [] } = findContent() ?? {};
    if (!listPages(settings, views).paths.includes(path) || !shown) return undefined;
    const html = await renderer.renderPath(
      path,
      views.find(view => view.path === path),
    );
    return embed(html, `${base}/style.css?${hash(await getStyles())}`);
  }

  async function getStyles(): Promise<string> {
    const { code = '' } = (await client.transformRequest(`${styles}?direct`)) ?? {};
    const version = (name: string) => listFonts().find(font => font.name === name)?.hash;
    return (
      code
        .replaceAll(
          /url\("[^"]*\/([^"/]+\.woff2)"\)/g,
          (_, name) => `url("${base}/fonts/${name}?${version(name)}")`,
        )
        // The frame runs no script; it shows what visitors see whose browsers do.
        .replaceAll('(scripting: none)', 'not all')
    );
  }

  function listFonts(): FontFile[] {
    return findContent()?.content.brand.fontFiles.text ?? [];
  }

  function embed(html: string, style: string): string {
    return (
      html
        .replaceAll(/<(script|noscript)\b[^>]*>.*?<\/\1>/gs, '')
        // React writes srcSet, and imageSrcSet to load a picture early.
        .replaceAll(/ (href|src|srcset|imagesrcset)="\/[^"]*"/gi, attribute =>
          attribute.replaceAll(/(?<=[" ])\/(?!\/)/g, `${base}/`),
        )
        // A link to nowhere: the frame shows pages of the preview only.
        .replaceAll(/(<a\b[^>]* href=")(?:[a-z]+:[^"]*|[^"]*\.xml)"/g, '$1#_"')
        .replace(`"${base}/style.css"`, `"${style}"`)
        .replace('<html ', '<html data-script data-motion="paused" ')
    );
  }

  await queue(async () => applyDraft(undefined));
  return {
    /** The page with the changes of `draft`, and without those of an earlier one. */
    show: (path: string, draft: Draft | undefined): Promise<PreviewPage> =>
      queue(async () => {
        const { problems, isStale, invalidPosts } = applyDraft(draft);
        const html = await render(path);
        const isOutdated = isStale || (draft !== undefined && invalidPosts.includes(draft.file));
        return { problems: problems.map(describeProblem), isStale: isOutdated, ...(html && { html }) };
      }),
    /** Another page, with the changes of the last draft. */
    render: (path: string) => queue(() => render(path)),
    listPages(): { path: string; title: string }[] {
      const served = findContent();
      if (!served) return [];
      const { paths } = listPages(settings, served.views);
      return listIndexedPages(served.content, served.views)
        .filter(({ path }) => paths.includes(path))
        .map(({ path, title }) => ({ path, title }));
    },
    /** A style sheet, font or image of the pages. */
    async readFile(path: string): Promise<PreviewFile | undefined> {
      const found = await queue(() => find(path));
      return found === undefined
        ? undefined
        : { type: getContentType(path), bytes: new Uint8Array(Buffer.from(found)) };
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await last;
      await renderer.close();
      await vite.close();
      drafts[Symbol.dispose]();
    },
  };

  async function find(path: string): Promise<string | Buffer | undefined> {
    if (path === '/style.css') return getStyles();
    const { spriteUrl, source } = readSprite(join(uiFolder, 'illustrations'));
    if (path === spriteUrl) return source;
    const font = listFonts().find(({ name }) => path === `/fonts/${name}`);
    if (font) return existsSync(font.path) ? readFileSync(font.path) : undefined;
    const served = findContent();
    return served && findGeneratedFile(served, settings, path)?.make();
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 10);
}
