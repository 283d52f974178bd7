import type { PageView } from '../../../core/content/page-view.ts';
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
  view?: PageView | undefined;
};

export function listIndexedPages(content: Content, views: PageView[] = []): IndexedPage[] {
  const shown = new Set(views.map(({ path }) => path));
  const own = listSitePages(defaultPageSettings).flatMap(page => describePage(page, content));
  return [...own.filter(({ path }) => !shown.has(path)), ...views.map(describeView)];
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

function describeView(view: PageView): IndexedPage {
  const { path, meta, picture, updated } = view;
  const { title, description, imageHeading } = meta;
  const { path: imagePath, label, illustration } = picture;
  return { path, title, description, imageHeading, imagePath, label, illustration, updated, view };
}
