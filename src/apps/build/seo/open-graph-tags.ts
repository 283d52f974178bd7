import type { BlogView } from '../../../features/blog/blog-types.ts';
import { escapeHtml } from '../../../lib/escape-html.ts';

export function renderOpenGraphTags(siteName: string, hasImages: boolean, view?: BlogView): string {
  const { width, height } = openGraphSize;
  const properties: [name: string, value: string | number][] = [
    ['og:type', view?.kind === 'post' ? 'article' : 'website'],
    ['og:locale', 'en_GB'],
    ['og:site_name', siteName],
  ];
  if (hasImages) properties.push(['og:image:width', width], ['og:image:height', height]);
  if (view?.kind === 'post') {
    const { date, updated, topics } = view.post;
    properties.push(['article:published_time', date]);
    if (updated) properties.push(['article:modified_time', updated]);
    for (const { name } of topics.slice(0, 1)) properties.push(['article:section', name]);
    for (const { name } of topics) properties.push(['article:tag', name]);
  }
  const tags = properties.map(
    ([name, value]) => `<meta property="${name}" content="${escapeHtml(String(value))}">`,
  );
  const card = hasImages ? 'summary_large_image' : 'summary';
  return [...tags, `<meta name="twitter:card" content="${card}">`].join('');
}

export const openGraphSize = { width: 1200, height: 630 };
