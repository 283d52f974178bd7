import type { BlogView } from '../features/blog/blog-types.ts';
import type { PageName } from './paths.ts';

export type RenderedPage = { page: PageName; head: string; body: string };
export type RenderPage = (path: string, view?: BlogView) => Promise<RenderedPage>;
