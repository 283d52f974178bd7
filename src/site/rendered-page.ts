import type { BlogView } from '../content/blog/types.ts';
import type { PageName } from './paths.ts';

/** What the prerender hands to the build: a page's own head tags, and its HTML. */
export type RenderedPage = { page: PageName; head: string; body: string };
/** The blog's pages are rendered from a view, all others from their words alone. */
export type RenderPage = (path: string, view?: BlogView) => Promise<RenderedPage>;
