import type { BlogView, PostSummary } from '../../../features/blog/blog-types.ts';
import type { Content } from '../../../features.content.ts';
import { type IndexedPageName, openGraphImagePath, paths } from '../../../ui/paths.ts';

export type IndexedPage = {
  name: IndexedPageName;
  path: string;
  title: string;
  description: string;
  imageHeading: string;
  imagePath: string;
  label: string;
  illustration: string;
  updated?: string | undefined;
  view?: BlogView | undefined;
};

export function listIndexedPages(content: Content, views: BlogView[] = []): IndexedPage[] {
  const own = (Object.keys(paths) as IndexedPageName[]).map(name => {
    const { title, description, imageHeading, updated } = content[name];
    const label = name === 'home' ? content.home.hero.label : title;
    return {
      name,
      path: paths[name],
      title,
      description,
      imageHeading,
      label,
      updated,
      illustration: illustrations[name],
      imagePath: openGraphImagePath(name),
    };
  });
  const blogPages = views.map(view => describeBlogPage(view, content));
  const blogPaths = new Set(blogPages.map(({ path }) => path));
  return [...own.filter(({ path }) => !blogPaths.has(path)), ...blogPages];
}

function describeBlogPage(view: BlogView, { blog }: Content): IndexedPage {
  const { title, description, imageHeading } = view.meta;
  const common = { name: 'blog', path: view.path, title, description, imageHeading, view } as const;
  if (view.kind === 'list')
    return {
      ...common,
      imagePath: openGraphImagePath('blog'),
      label: blog.title,
      illustration: illustrations.blog,
      updated: lastChange(view.posts),
    };
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

const illustrations: Record<IndexedPageName, string> = {
  home: 'shield',
  services: 'network-security',
  contact: 'contact',
  privacy: 'data-security',
  faq: 'computer-security',
  terms: 'locker-security',
  security: 'web-security',
  sample: 'services',
  blog: 'malware-protection',
  audit: 'shield',
  'audit-about': 'web-security',
};
