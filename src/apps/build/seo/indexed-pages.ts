import type { BlogView, PostSummary } from '../../../features/blog/blog-types.ts';
import type { Content } from '../../../features.content.ts';
import type { Page } from '../../../ui/page.ts';
import { openGraphImagePath, paths } from '../../../ui/paths.ts';
import { defaultPageSettings } from '../create-page-settings.ts';
import { listSitePages } from '../site-parts.ts';

export type IndexedPage = {
  path: string;
  title: string;
  description: string;
  imageHeading: string;
  imagePath: string;
  label: string;
  illustration: string;
  schemaType?: string | undefined;
  isPolicy?: boolean | undefined;
  updated?: string | undefined;
  view?: BlogView | undefined;
};

export function listIndexedPages(content: Content, views: BlogView[] = []): IndexedPage[] {
  const blogPages = views.map(view => describeBlogPage(view, content));
  const blogPaths = new Set(blogPages.map(({ path }) => path));
  const own = listSitePages(defaultPageSettings).flatMap(page => describePage(page, content));
  return [...own.filter(({ path }) => !blogPaths.has(path)), ...blogPages];
}

function describePage({ name, paths: [path], indexed }: Page, content: Content): IndexedPage[] {
  if (!indexed || path === undefined) return [];
  const { illustration, schemaType, isPolicy } = indexed;
  const { title, description, imageHeading, updated } = findTexts(content, indexed.content);
  const label = path === paths.home ? content.home.hero.label : title;
  const imagePath = openGraphImagePath(name);
  const own = { path, title, description, imageHeading, imagePath, label, updated };
  return [{ ...own, illustration, schemaType, isPolicy }];
}

type PageTexts = Record<'title' | 'description' | 'imageHeading', string> & { updated?: string };

/** An entry in pages.ts and the schema of its file are of one feature. */
function findTexts(content: Content, name: string): PageTexts {
  return content[name as keyof Content] as unknown as PageTexts;
}

function describeBlogPage(view: BlogView, content: Content): IndexedPage {
  const { blog } = content;
  const { title, description, imageHeading } = view.meta;
  const common = { path: view.path, title, description, imageHeading, view };
  if (view.kind === 'list') {
    const [list] = listSitePages(defaultPageSettings).filter(({ name }) => name === 'blog');
    return {
      ...common,
      schemaType: list?.indexed?.schemaType,
      imagePath: openGraphImagePath('blog'),
      label: blog.title,
      illustration: list?.indexed?.illustration ?? '',
      updated: lastChange(view.posts),
    };
  }
  const { slug, topics, illustration } = view.post;
  return {
    ...common,
    imagePath: `/share/blog/${slug}.jpg`,
    label: topics[0]?.name ?? blog.title,
    illustration,
    updated: lastChange([view.post]),
  };
}

export function lastChange(posts: Pick<PostSummary, 'date' | 'updated'>[]): string | undefined {
  return posts
    .map(({ date, updated }) => updated ?? date)
    .sort()
    .at(-1);
}
