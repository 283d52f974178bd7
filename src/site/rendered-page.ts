import type { PageName } from './paths.ts';

/** What the prerender hands to the build: a page's own head tags, and its HTML. */
export type RenderedPage = { page: PageName; head: string; body: string };
export type RenderPage = (path: string) => Promise<RenderedPage>;
