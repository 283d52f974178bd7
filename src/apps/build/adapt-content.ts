import { adaptToHosting } from '../../core/content/hosting.ts';
import { leaveOutLinks } from '../../core/content/leave-out-links.ts';
import type { BlogView, Post } from '../../features/blog/blog-types.ts';
import { planBlog } from '../../features/blog/plan-blog.ts';
import type { Content } from '../../features.content.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import { getHosting } from './create-page-settings.ts';
import { isOn, leadsToOffPage } from './site-parts.ts';

export function planViews(
  posts: Post[],
  { blog }: Pick<Content, 'blog'>,
  settings: PageSettings,
): BlogView[] {
  return isOn(settings, 'blog') ? planBlog(posts, blog) : [];
}

/** Content as this site shows it: without what does not apply to its hosting, and without links to pages that are off. */
export function adaptContent<T>(content: T, settings: PageSettings): T {
  const adapted = adaptToHosting(content, getHosting(settings));
  return settings.OFF ? leaveOutLinks(adapted, href => leadsToOffPage(settings, href)) : adapted;
}
