import type { Plugin, ResolvedConfig } from 'vite';
import { systemClock } from '../../core/clock.ts';
import { describeProblem, type Problem, toProblem } from '../../core/content/content-error.ts';
import { selectPageBrand } from '../../core/content/schemas/brand.ts';
import type { BlogView, Post } from '../../features/blog/blog-types.ts';
import { highlight } from '../../features/blog/highlight.ts';
import { newestFirst } from '../../features/blog/read-posts.ts';
import { buildParts } from '../../features.build.ts';
import type { Content } from '../../features.content.ts';
import { getLondonDay, isDue } from '../../lib/london-day.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import { readContent } from '../content.ts';
import { adaptContent, planViews } from './adapt-content.ts';
import { checkSources } from './check-site.ts';
import { getOpenGraphVersion } from './seo/open-graph-images.ts';

const prefix = 'content:';

export const isContentModule = (id: string) => id.startsWith(`\0${prefix}`);

export type ServedContent = { content: Content; posts: Post[]; views: BlogView[] };

/** `isStale`: the pages show earlier content. `invalidPosts`: the files of posts that have errors. */
export type SourceErrors = { problems: Problem[]; isStale: boolean; invalidPosts: string[] };

export class InvalidContentError extends Error {}

type ContentApi = { getContent(): ServedContent; read(): SourceErrors };

/** `import { home } from 'content:home'`: validated content. Posts cannot be imported, so no script contains one. */
export function contentPlugin(folder: string, settings: PageSettings): Plugin {
  let valid: ServedContent | undefined;
  let problems: Problem[] = [];
  let isServed = false;

  function read(): SourceErrors {
    const site = isServed
      ? checkSources(folder, settings, { isPreview: true })
      : { ...readContent(folder), posts: [] };
    problems = 'problems' in site ? site.problems : site.errors.map(toProblem);
    const invalidPosts = site.errors.map(({ file }) => file).filter(file => file.startsWith('blog/'));
    if (!site.content || !site.posts) return { problems, isStale: true, invalidPosts };
    const content = adaptContent(site.content, settings);
    const today = getLondonDay(new Date());
    const read = adaptContent(site.posts, settings).map(post => ({
      ...post,
      body: highlight(post.body),
      isScheduled: !post.isDraft && !isDue(post, today),
    }));
    // A post that has an error since the last save keeps its text.
    const earlier = valid?.posts.filter(({ file }) => invalidPosts.includes(file)) ?? [];
    const posts = [...read, ...earlier].toSorted(newestFirst);
    valid = { content, posts, views: planViews(posts, content, settings) };
    return { problems, isStale: false, invalidPosts };
  }

  function getContent(): ServedContent {
    if (!valid) read();
    if (!valid) throw new InvalidContentError(problems.map(describeProblem).join('\n'));
    return valid;
  }

  // Periods are filled into texts when the site is built.
  const { KEEP_MESSAGES_DAYS: _, KEEP_QUARANTINE_DAYS: __, ...browserSettings } = settings;
  return {
    name: 'content',
    api: { getContent, read } satisfies ContentApi,
    configResolved({ command }) {
      isServed = command === 'serve';
    },
    buildStart() {
      if (!isServed) valid = undefined;
    },
    resolveId: id => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!isContentModule(id)) return undefined;
      const name = id.slice(prefix.length + 1);
      const data = name === 'settings' ? browserSettings : selectModule(getContent().content, name, settings);
      return `const data = ${JSON.stringify(data)};\nexport { data as ${exportName(name)} };`;
    },
  };
}

export function getContentApi({ config }: { config: Pick<ResolvedConfig, 'plugins'> }): ContentApi {
  return config.plugins.find(({ name }) => name === 'content')?.api as ContentApi;
}

/** `auditPage` of `content:audit-page`, `sheet` of `content:sample/sheet`. */
function exportName(name: string): string {
  return name.replace(/^.*\//, '').replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
}

function selectModule(content: Content, name: string, settings: PageSettings): unknown {
  const { SITE_URL } = settings;
  if (name === 'brand') return selectPageBrand(content.brand, systemClock.now());
  if (name === 'open-graph-version') return SITE_URL ? getOpenGraphVersion(content, SITE_URL) : '';
  for (const { modules = {} } of buildParts)
    if (Object.hasOwn(modules, name)) return modules[name]?.(content, settings);
  if (name in content) return content[name as keyof Content];
  throw new Error(`There is no content named '${name}'`);
}
